import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { ts } from "../typescript/typescript.js";

/**
 * Defaults of TypeScript 5 that differ from those of the TypeScript in ts-morph. A project with an older TypeScript is checked as that
 * version would check it.
 */
const TYPESCRIPT_5_DEFAULTS: ts.CompilerOptions = {
  strict: false,
  types: ["*"],
  noUncheckedSideEffectImports: false,
};

/** Options that TypeScript 7 has and the TypeScript in ts-morph lacks. None of them changes types. */
const TYPESCRIPT_7_OPTIONS: ReadonlySet<string> = new Set([
  "builders",
  "checkers",
  "deduplicatePackages",
  "pprofDir",
  "quiet",
  "singleThreaded",
]);

/**
 * Returns whether the project's installed TypeScript, or the newest one if none is installed, has an option that the TypeScript
 * in ts-morph lacks.
 *
 * @param root the project folder
 * @param name the name of the option, such as `"checkers"`
 */
export function hasNewerOption(root: string, name: string): boolean {
  return TYPESCRIPT_7_OPTIONS.has(name) && getTypeScriptMajor(root) >= 7;
}

/**
 * Adds the defaults of the project's installed TypeScript to its options.
 *
 * @param root the project folder
 * @param options from `tsconfig.json`
 */
export function withProjectDefaults(root: string, options: ts.CompilerOptions): ts.CompilerOptions {
  if (getTypeScriptMajor(root) >= 6) return options;
  const { module = ts.ModuleKind.CommonJS } = options;
  return { ...TYPESCRIPT_5_DEFAULTS, esModuleInterop: module >= ts.ModuleKind.Node16, ...options };
}

/** Returns the major version of the installed TypeScript; Infinity if none is installed. */
function getTypeScriptMajor(root: string): number {
  try {
    const path = createRequire(`${root}/package.json`).resolve("typescript/package.json");
    const { version } = JSON.parse(readFileSync(path, "utf8")) as { version: string };
    return Number.parseInt(version, 10);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
