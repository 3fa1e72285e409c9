import { join } from "node:path";
import { type Compilation, type Compiler, createCompiler } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { TEST_TYPES, VIEW_TYPES, writeServerTypes } from "./server-types.js";

/**
 * Maximum number of compilations of a project with views. It is compiled again while the types of its views change,
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
  return compileWithViews(createCompiler({ root, typeCheck: false, ...(profile && { profile }) }), root);
}

/**
 * Compiles a project. If it has views, or tests among its sources, writes the types of the server first, so that both are
 * checked against its current tools.
 *
 * @param root the project folder, absolute
 */
export function compileWithViews(compiler: Compiler, root: string): Compilation {
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
