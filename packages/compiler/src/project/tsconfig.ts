import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { withDefaultsOfProject } from "./older-typescript.js";
import { ts } from "./typescript.js";

/** What a project without tsconfig.json is compiled with. */
const DEFAULT_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  // Who has said nothing means what is installed, such as `@types/node`.
  types: ["*"],
  skipLibCheck: true,
  noEmit: true,
};

/** Nothing is emitted through our program, and output folders would only narrow what may be read. */
const OUTPUT_OPTIONS = [
  "composite",
  "incremental",
  "outDir",
  "tsBuildInfoFile",
  "declaration",
  "declarationDir",
  "declarationMap",
  "emitDeclarationOnly",
  "isolatedDeclarations",
] as const;

/**
 * Options that our TypeScript calls deprecated (`baseUrl`, `"moduleResolution": "node"`) are right for the project's own,
 * which may be an older one that refuses to hear of this setting.
 */
const DEPRECATIONS = "6.0";

/** TypeScript's code for a tsconfig.json that names no file. */
const NO_INPUTS = 18_003;

/** The JavaScript files of a folder: how many, and the first. */
function javaScriptIn(folder: string): { count: number; first?: string } {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const [first, ...others] = files.filter((name) => /\.[cm]?jsx?$/.test(name)).sort();
  return first === undefined
    ? { count: 0 }
    : { count: others.length + 1, first: first.replaceAll("\\", "/") };
}

/**
 * The files and options that the project's tsconfig.json names, or the default ones.
 *
 * @param root the project folder
 * @returns undefined when it cannot be read; the diagnostics say why
 */
export function readTsconfig(root: string, collector: DiagnosticCollector): ts.ParsedCommandLine | undefined {
  const report = collector.reporter();
  const path = `${root}/tsconfig.json`;
  const hasFile = existsSync(path);
  const { config, error } = hasFile
    ? ts.readConfigFile(path, (name) => ts.sys.readFile(name))
    : { config: { include: ["src"] }, error: undefined };
  const parsed =
    config &&
    ts.parseJsonConfigFileContent(config, ts.sys, root, hasFile ? undefined : DEFAULT_OPTIONS, path);
  const problems = [...(error ? [error] : []), ...(parsed?.errors ?? [])];
  for (const { messageText, code } of problems) {
    if (code === NO_INPUTS) {
      report("config-no-typescript", undefined, javaScriptIn(`${root}/src`));
      continue;
    }
    const problem = ts.flattenDiagnosticMessageText(messageText, "\n");
    report("config-unreadable", undefined, { file: "tsconfig.json", problem });
  }
  if (problems.length > 0 || !parsed) return undefined;
  const unable = resolutionWithoutExports(parsed.options);
  if (unable !== undefined) {
    report("config-module-resolution", undefined, unable);
    return undefined;
  }
  const options: ts.CompilerOptions = {
    ...(hasFile ? withDefaultsOfProject(root, parsed.options) : parsed.options),
    noEmit: true,
    ignoreDeprecations: DEPRECATIONS,
  };
  for (const name of OUTPUT_OPTIONS) delete options[name];
  return { ...parsed, options };
}

/** A way to find modules that is older than `exports` in package.json, which is where packages name their modules now. */
function resolutionWithoutExports(options: ts.CompilerOptions): { found: string; edit: string } | undefined {
  const { moduleResolution, module = ts.ModuleKind.CommonJS } = options;
  const { Node10, Classic } = ts.ModuleResolutionKind;
  if (moduleResolution !== Node10 && moduleResolution !== Classic) return undefined;
  const found = moduleResolution === Node10 ? "node" : "classic";
  const isCommonJs = module === ts.ModuleKind.CommonJS;
  return { found, edit: isCommonJs ? `"module": "nodenext"` : `"moduleResolution": "bundler"` };
}

/** The options of a tsconfig.json and of those it extends. Which files it names is of no interest. */
export function readCompilerOptions(path: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  const host: ts.ParseConfigHost = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(config, host, dirname(path)).options;
}

/**
 * What tsconfig.json says to who bundles a project: which variants of packages it prefers, by which those of a workspace
 * are often read as TypeScript; and whether its decorators know types, as frameworks need it that go by names of classes.
 *
 * @param root the project folder
 * @see https://www.typescriptlang.org/tsconfig/#customConditions
 * @see https://www.typescriptlang.org/tsconfig/#emitDecoratorMetadata
 */
export function readBundlingOptions(
  root: string,
): Pick<ts.CompilerOptions, "customConditions" | "emitDecoratorMetadata"> {
  const path = `${root}/tsconfig.json`;
  return existsSync(path) ? readCompilerOptions(path) : {};
}
