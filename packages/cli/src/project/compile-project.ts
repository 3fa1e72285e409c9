import { join } from "node:path";
import { type Compilation, type Compiler, createCompiler } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import { VIEW_TYPES, writeServerTypes } from "./server-types.js";

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
 * Compiles a project. If it has views, writes the types of the server first, so that views are checked against its current
 * tools.
 *
 * @param root the project folder, absolute
 */
export function compileWithViews(compiler: Compiler, root: string): Compilation {
  for (let count = 1; ; count++) {
    const compilation = compiler.compile();
    const { manifest } = compilation;
    if (manifest?.views === undefined || count === MAX_COMPILATIONS) return compilation;
    if (!writeServerTypes(manifest, root).includes(VIEW_TYPES)) return compilation;
    compiler.refresh([join(root, VIEW_TYPES)]);
  }
}
