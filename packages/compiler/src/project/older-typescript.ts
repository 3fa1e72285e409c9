import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ts } from "./typescript.js";

/**
 * What TypeScript 5 takes for granted where `tsconfig.json` says nothing, and our TypeScript no longer does. A project
 * that has an older one is checked as that would check it.
 */
const DEFAULTS_OF_FIVE: ts.CompilerOptions = {
  strict: false,
  types: ["*"],
  noUncheckedSideEffectImports: false,
};

/**
 * The options of a project with the defaults of the TypeScript that it has installed.
 *
 * @param root the project folder
 * @param options as `tsconfig.json` has them
 */
export function withDefaultsOfProject(root: string, options: ts.CompilerOptions): ts.CompilerOptions {
  if (majorOfTypeScript(root) >= 6) return options;
  const { module = ts.ModuleKind.CommonJS } = options;
  return { ...DEFAULTS_OF_FIVE, esModuleInterop: module >= ts.ModuleKind.Node16, ...options };
}

/** Infinity where none is installed, so that our own is the only one. */
function majorOfTypeScript(root: string): number {
  try {
    const path = createRequire(`${root}/package.json`).resolve("typescript/package.json");
    const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
    return Number.parseInt(version, 10);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
