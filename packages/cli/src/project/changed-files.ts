import type { Compilation } from "@tenon/compiler";
import { Failure } from "../terminal/failure.js";
import { formatList } from "../terminal/text-format.js";

/**
 * Checks that the bundler has read the same sources as the compiler. Otherwise, the schemas and the code of the server could
 * belong to different versions.
 *
 * @throws Failure if a source has changed since it was compiled
 */
export function checkUnchanged({ findChangedFiles }: Pick<Compilation, "findChangedFiles">): void {
  const changed = findChangedFiles?.() ?? [];
  if (changed.length === 0) return;
  throw new Failure(`${formatList(changed.map((path) => `\`${path}\``))} changed during the build.`, {
    hint: "Run the command again.",
  });
}
