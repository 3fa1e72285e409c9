import { join } from "node:path";
import { type Compilation, type Compiler, createCompiler } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { TEST_TYPES, VIEW_TYPES, writeServerTypes } from "./server-types.js";

/**
 * Maximum number of compilations of a project that reads the types of its own server. It is compiled again while they change,
 * because a view may depend on tools that need the view's types.
 */
const MAX_COMPILATIONS = 3;

/**
 * Compiles a project without checking its types.
 *
 * @param root the project folder, absolute
 * @param profile the profile for the listed schemas, instead of the one that the project configures
 */
export function compileProject(root: string, profile?: Profile): Compilation {
  return compileWithServerTypes(
    createCompiler({ root, typeCheck: false, ...(profile && { profile }) }),
    root,
  );
}

/**
 * Compiles a project. If it has views, or tsconfig.json includes tests, also writes the types of the server, and compiles again if
 * they have changed, so that views and tests are checked against the current tools.
 *
 * @param root the project folder, absolute
 */
export function compileWithServerTypes(compiler: Compiler, root: string): Compilation {
  for (let count = 1; ; count++) {
    const compilation = compiler.compile();
    const { manifest, usesServerTypes = false } = compilation;
    if (manifest === undefined || count === MAX_COMPILATIONS) return compilation;
    if (manifest.views === undefined && !usesServerTypes) return compilation;
    const written = writeServerTypes(manifest, root);
    const changed = written.filter((path) => path === VIEW_TYPES || (usesServerTypes && path === TEST_TYPES));
    if (changed.length === 0) return compilation;
    compiler.refresh(changed.map((path) => join(root, path)));
  }
}
