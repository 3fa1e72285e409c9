import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { ts } from "../typescript/typescript.js";
import { createCompilerHost } from "./compiler-host.js";
import type { CheckedFiles } from "./checked-files.js";
import { readTsconfig } from "./tsconfig.js";

/** The files that configure TypeScript for tests, in order of preference, relative to the project folder. */
const TEST_CONFIGS = [
  "test/tsconfig.json",
  "tests/tsconfig.json",
  "__tests__/tsconfig.json",
  "tsconfig.test.json",
] as const;

/**
 * A function that loads the tests of a project.
 *
 * @param collector receives the problems of the tests' tsconfig.json
 * @returns undefined if the project has no such file, or it cannot be read
 */
export type TestLoader = (
  ownFiles: readonly ts.SourceFile[],
  collector: DiagnosticCollector,
) => CheckedFiles | undefined;

/**
 * Creates a loader for the tests of a project, which have a separate tsconfig.json because they are not built.
 *
 * @param root absolute path of the project folder, with forward slashes
 * @param sourceOptions the options of the sources' tsconfig.json
 * @param sourceFiles the parsed files of the sources, by path. Tests with the same options use them, and add none, because
 *   the tests are read again each time
 */
export function createTestLoader(
  root: string,
  sourceOptions: ts.CompilerOptions,
  sourceFiles: Map<string, ts.SourceFile>,
): TestLoader {
  return (ownFiles, collector) => {
    const name = TEST_CONFIGS.find((path) => ts.sys.fileExists(`${root}/${path}`));
    const config = name === undefined ? undefined : readTsconfig(root, collector, name);
    if (!config) return undefined;
    const { fileNames: rootNames, options } = config;
    const hasSameOptions = toComparable(options) === toComparable(sourceOptions);
    const host = createCompilerHost(options, new Map(hasSameOptions ? sourceFiles : []));
    const program = ts.createProgram({ rootNames, options, host });
    const included = new Set(ownFiles.map(({ fileName }) => fileName));
    return {
      root,
      program,
      getConfiguredProgram: () => program,
      options,
      checker: program.getTypeChecker(),
      // Tests declare nothing to serve.
      sourceFiles: [],
      ownFiles: rootNames.flatMap((path) => (included.has(path) ? [] : (program.getSourceFile(path) ?? []))),
    };
  };
}

/** Returns options as text, without the path of their file. Parsed files depend on the options. */
function toComparable(options: ts.CompilerOptions): string {
  return JSON.stringify({ ...options, configFilePath: "" });
}
