import { basename } from "node:path";
import { Failure } from "../terminal/failure.js";

/**
 * Rejects a path for generated TypeScript whose extension is that of something else. A path without an extension, such as
 * `/dev/null`, is accepted.
 *
 * @param noun the generated code, such as `"client"`
 * @throws Failure (exit code 2) that names the path
 */
export function checkTypeScriptPath(path: string, noun: string): void {
  const [extension] = /(?:\.d)?\.\w+$/.exec(basename(path)) ?? [];
  if (extension === undefined || /^\.[cm]?tsx?$/.test(extension)) return;
  throw new Failure(`\`${path}\` cannot contain the ${noun}, which is TypeScript.`, {
    hint: "Choose a name that ends in .ts with --out.",
    exitCode: 2,
  });
}
