import type { DirectoryName } from "@tenon/compiler/directories";
import type { Profile } from "@tenon/runtime/manifest";
import type { CachedWork } from "../cache/build-cache.js";
import type { CheckedProject } from "./checked-project.js";

/** The options of `tenon check` that a compilation depends on. */
export interface CheckWorkOptions {
  /** The public directories to check against. */
  directories: readonly DirectoryName[];
  /** The profile for the listed schemas, instead of the one that the project configures. */
  profile?: Profile | undefined;
}

/**
 * Creates the cached work of `tenon check`.
 *
 * @param root the project folder, absolute
 */
export function createCheckWork(
  root: string,
  { directories, profile }: CheckWorkOptions,
): CachedWork<CheckedProject> {
  return {
    root,
    name: "check",
    options: { profile: profile ?? null, directories },
    async load() {
      const { readCheckedProject } = await import("./checked-project.js");
      const { compileProject } = await import("../project/compile-project.js");
      return (compile = () => compileProject(root, profile)) =>
        readCheckedProject(compile(), root, directories);
    },
  };
}
