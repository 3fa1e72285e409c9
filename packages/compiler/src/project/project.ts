import type { Implementation } from "@tenon/runtime/manifest";
import { createWrappedNode, type SourceFile } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { createCompilerHost } from "./compiler-host.js";
import { type DescribedPackage, readPackage } from "./package-json.js";
import { readTsconfig } from "./tsconfig.js";
import { ts } from "./typescript.js";

/** A project folder as TypeScript sees it. */
export interface Project {
  /** Absolute, with forward slashes. */
  readonly root: string;
  /** Name, version and description from package.json. */
  readonly implementation: Implementation;
  /** The project depends on `@redis/client`. */
  readonly hasRedisClient: boolean;
  /** Types are read from this one, with `null` and `undefined` in them whether the author checks for these or not. */
  readonly program: ts.Program;
  /** The options of the author, as tsconfig.json has them. */
  readonly options: ts.CompilerOptions;
  /** The same sources with these options, for a type check. Made when first asked for. */
  readonly asConfigured: () => ts.Program;
  readonly checker: ts.TypeChecker;
  /** The files under `src/` that may declare something to serve; tests and declaration files left out. */
  readonly sourceFiles: readonly SourceFile[];
  /** Every file the author wrote and tsconfig.json names: what a type check covers. */
  readonly ownFiles: readonly ts.SourceFile[];
}

/** A project that stays loaded, so that a second look costs only what has changed. */
export interface ProjectLoader {
  load(collector: DiagnosticCollector): Project | undefined;
  /** Reads these files (absolute paths) again; new and removed ones are noticed. */
  refresh(changedFiles: readonly string[]): void;
}

const TEST_FILE = /\.(test|spec)\.[cm]?tsx?$/;

/** `root` is an absolute path with forward slashes. Nothing is read before `load`. */
export function createProjectLoader(root: string): ProjectLoader {
  const sourceFiles = new Map<string, ts.SourceFile>();
  let oldProgram: ts.Program | undefined;
  let oldOptions = "";
  return {
    load(collector) {
      const described = readPackage(root, collector);
      const config = described && readTsconfig(root, collector);
      if (!config) return undefined;
      const options = JSON.stringify(config.options);
      // Other options mean other libraries and other resolution: nothing of the old program would be of use.
      if (options !== oldOptions) {
        sourceFiles.clear();
        oldProgram = undefined;
        oldOptions = options;
      }
      const host = createCompilerHost(config.options, sourceFiles);
      const createProgram = (options: ts.CompilerOptions, old?: ts.Program): ts.Program =>
        ts.createProgram({ rootNames: config.fileNames, options, host, ...(old && { oldProgram: old }) });
      const program = createProgram({ ...config.options, strictNullChecks: true }, oldProgram);
      oldProgram = program;
      let checked: ts.Program | undefined;
      const asConfigured = (): ts.Program =>
        (checked ??= checksNull(config.options) ? program : createProgram(config.options));
      return projectOf(root, described, { program, asConfigured }, config);
    },
    refresh(changedFiles) {
      for (const path of changedFiles) sourceFiles.delete(path.replaceAll("\\", "/"));
    },
  };
}

/** Without this, TypeScript takes `null` and `undefined` out of every type. */
export function checksNull({ strictNullChecks, strict = true }: ts.CompilerOptions): boolean {
  return strictNullChecks ?? strict;
}

/** Where a file is, relative to the project folder and with forward slashes. */
export function modulePath(file: SourceFile, root: string): string {
  return file.getFilePath().slice(root.length + 1);
}

function projectOf(
  root: string,
  described: DescribedPackage,
  programs: Pick<Project, "program" | "asConfigured">,
  config: ts.ParsedCommandLine,
): Project {
  const { program } = programs;
  const ownFiles = config.fileNames.flatMap((name) => program.getSourceFile(name) ?? []);
  const checker = program.getTypeChecker();
  const sourceFiles = ownFiles
    .filter(
      ({ fileName, isDeclarationFile }) =>
        fileName.startsWith(`${root}/src/`) && !isDeclarationFile && !TEST_FILE.test(fileName),
    )
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1))
    .map((file) => createWrappedNode(file, { typeChecker: checker }));
  return { root, ...described, ...programs, options: config.options, checker, sourceFiles, ownFiles };
}
