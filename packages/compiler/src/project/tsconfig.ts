import { existsSync } from "node:fs";
import { dirname, posix } from "node:path";
import { toRangeSpan, type DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { hasNewerOption, withProjectDefaults } from "./installed-typescript.js";
import { ts } from "../typescript/typescript.js";

const TSCONFIG = "tsconfig.json";

/** Options for a project without tsconfig.json. */
const DEFAULT_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  // Includes installed types such as `@types/node`.
  types: ["*"],
  skipLibCheck: true,
  noEmit: true,
};

/** Options to remove: the program emits nothing, and output folders would restrict which files can be read. */
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
 * Value of `ignoreDeprecations`. Options that the TypeScript in ts-morph deprecates (`baseUrl`, `"moduleResolution": "node"`) may be
 * valid in the project's own TypeScript, which may be too old to accept this setting.
 */
const DEPRECATIONS = "6.0";

/** TypeScript's error codes for a tsconfig.json that includes no file, or has an option that does not exist. */
const NO_INPUTS = 18_003;
const UNKNOWN_OPTION: ReadonlySet<number> = new Set([5023, 5025]);

/** Counts the JavaScript files in a folder, and finds the first of them. */
function findJavaScript(folder: string): { count: number; first?: string } {
  const [first, ...others] = ts.sys.readDirectory(folder, [".js", ".jsx", ".cjs", ".mjs"]).sort();
  return first === undefined
    ? { count: 0 }
    : { count: others.length + 1, first: posix.relative(folder, first) };
}

/**
 * Reads the files and options in the project's tsconfig.json, or the default ones.
 *
 * @param root the project folder
 * @param name path of another tsconfig.json of the project, which may include no files, relative to its folder
 * @returns undefined if the file cannot be read; diagnostics explain why
 */
export function readTsconfig(
  root: string,
  collector: DiagnosticCollector,
  name = TSCONFIG,
): ts.ParsedCommandLine | undefined {
  const report = collector.createReport();
  const path = `${root}/${name}`;
  const hasFile = existsSync(path);
  const parsed = hasFile
    ? parseFile(path, root)
    : ts.parseJsonConfigFileContent({ include: ["src"] }, ts.sys, root, DEFAULT_OPTIONS, path);
  const problems = parsed.errors.filter(
    (each) => !isNewerOption(each, root) && (each.code !== NO_INPUTS || name === TSCONFIG),
  );
  for (const { messageText, code, file, start = 0, length = 1 } of problems) {
    if (code === NO_INPUTS) {
      report("config-no-typescript", undefined, findJavaScript(`${root}/src`));
      continue;
    }
    const problem = ts.flattenDiagnosticMessageText(messageText, "\n");
    const span = file && toRangeSpan(file, start, start + length, root);
    report("config-unreadable", span, { file: span?.file ?? name, problem });
  }
  // A tsconfig.json that only has references includes no file, which is not an error for TypeScript.
  const isWithoutSources =
    problems.length === 0 &&
    name === TSCONFIG &&
    !parsed.fileNames.some((each) => each.startsWith(`${root}/src/`));
  if (isWithoutSources) report("config-no-typescript", undefined, findJavaScript(`${root}/src`));
  if (problems.length > 0 || isWithoutSources) return undefined;
  const outdated = findOldResolution(parsed.options);
  if (outdated !== undefined) {
    report("config-module-resolution", undefined, outdated);
    return undefined;
  }
  const options: ts.CompilerOptions = {
    ...(hasFile ? withProjectDefaults(root, parsed.options) : parsed.options),
    noEmit: true,
    ignoreDeprecations: DEPRECATIONS,
  };
  for (const name of OUTPUT_OPTIONS) delete options[name];
  return { ...parsed, options };
}

/** Parses a tsconfig.json and those that it extends. The errors have positions. */
function parseFile(
  path: string,
  root: string,
): Pick<ts.ParsedCommandLine, "options" | "fileNames" | "errors"> {
  const read = (name: string): string | undefined => ts.sys.readFile(name);
  const { error } = ts.readConfigFile(path, read);
  // Other errors may follow from a syntax error.
  if (error !== undefined) return { options: {}, fileNames: [], errors: [error] };
  const file = ts.readJsonConfigFile(path, read);
  return ts.parseJsonSourceFileConfigFileContent(file, ts.sys, root, undefined, path);
}

/** Returns whether an error is about an option that only the project's own, newer TypeScript has. */
function isNewerOption({ code, messageText }: ts.Diagnostic, root: string): boolean {
  if (!UNKNOWN_OPTION.has(code)) return false;
  const [, name = ""] = /'(\w+)'/.exec(ts.flattenDiagnosticMessageText(messageText, "\n")) ?? [];
  return hasNewerOption(root, name);
}

/** Returns a `moduleResolution` that ignores `exports` in package.json, and the edit to make. */
function findOldResolution(options: ts.CompilerOptions): { found: string; edit: string } | undefined {
  const { moduleResolution, module = ts.ModuleKind.CommonJS } = options;
  const { Node10, Classic } = ts.ModuleResolutionKind;
  if (moduleResolution !== Node10 && moduleResolution !== Classic) return undefined;
  const found = moduleResolution === Node10 ? "node" : "classic";
  const isCommonJs = module === ts.ModuleKind.CommonJS;
  return { found, edit: isCommonJs ? `"module": "nodenext"` : `"moduleResolution": "bundler"` };
}

/** Reads the options of a tsconfig.json and of those that it extends, without looking for files. */
export function readCompilerOptions(path: string): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  const host: ts.ParseConfigHost = { ...ts.sys, readDirectory: () => [] };
  return ts.parseJsonConfigFileContent(config, host, dirname(path)).options;
}

/**
 * Reads the options that matter for bundling: `customConditions`, which often select the TypeScript sources of workspace
 * packages, and `emitDecoratorMetadata`, which dependency injection frameworks need.
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
