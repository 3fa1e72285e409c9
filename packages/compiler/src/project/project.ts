import { closeSync, openSync, readdirSync } from "node:fs";
import type { Implementation } from "@tenon/runtime/manifest";
import type { SourceFile } from "ts-morph";
import { createWrappedNode, ts } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { CheckedFiles } from "./checked-files.js";
import { createCompilerHost } from "./compiler-host.js";
import { type DescribedPackage, readPackage } from "./package-json.js";
import { createTestLoader, type TestLoader } from "./test-project.js";
import { readTsconfig } from "./tsconfig.js";

/** A loaded project folder. */
export interface Project extends CheckedFiles {
  /** Name, version, and description from package.json. */
  readonly implementation: Implementation;
  /** Whether the project depends on `@redis/client`. */
  readonly hasRedisClient: boolean;
  /** Loads the tests that have a separate tsconfig.json, for a type check. */
  readonly loadTests: TestLoader;
}

/** Keeps a project loaded, so that loading it again processes only what has changed. */
export interface ProjectLoader {
  load(collector: DiagnosticCollector): Project | undefined;
  /**
   * Marks files to be read again by the next `load`, which also notices new and removed files.
   *
   * @param changedFiles absolute paths
   * @param haveFilesMoved whether to resolve the modules of unchanged files again
   */
  refresh(changedFiles: readonly string[], haveFilesMoved?: boolean): void;
}

/** The file with the names of tools' arguments, for the types of views. A build writes it. */
const VIEW_TYPES = ".tenon/views.d.ts";

const TEST_FILE = /\.(test|spec)\.[cm]?tsx?$/;

/**
 * Creates a loader, which reads nothing until `load`.
 *
 * @param root absolute path of the project folder, with forward slashes
 */
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
      // Different options mean different libraries and resolution, so nothing can be reused.
      if (options !== oldOptions) {
        sourceFiles.clear();
        oldProgram = undefined;
        oldOptions = options;
      }
      const host = createCompilerHost(config.options, sourceFiles);
      const viewTypes = `${root}/${VIEW_TYPES}`;
      const rootNames = [...config.fileNames, ...(ts.sys.fileExists(viewTypes) ? [viewTypes] : [])];
      const createProgram = (options: ts.CompilerOptions, old?: ts.Program): ts.Program =>
        ts.createProgram({ rootNames, options, host, ...(old && { oldProgram: old }) });
      const program = createProgram({ ...config.options, strictNullChecks: true }, oldProgram);
      oldProgram = program;
      // An unreadable folder may be excluded.
      const { exclude } = (config.raw ?? {}) as { exclude?: unknown };
      if (exclude === undefined) checkFolder(`${root}/src`);
      for (const path of config.fileNames) if (!program.getSourceFile(path)) checkFile(path);
      let checked: ts.Program | undefined;
      const getConfiguredProgram = (): ts.Program =>
        (checked ??= hasStrictNullChecks(config.options) ? program : createProgram(config.options));
      const loadTests = createTestLoader(root, config.options, sourceFiles);
      return createProject(root, described, { program, getConfiguredProgram, loadTests }, config);
    },
    refresh(changedFiles, haveFilesMoved = false) {
      for (const path of changedFiles) sourceFiles.delete(path.replaceAll("\\", "/"));
      if (haveFilesMoved) oldProgram = undefined;
    },
  };
}

/**
 * Checks that a folder and those in it are readable, because TypeScript reads others as empty.
 *
 * @throws the error of the file system
 */
function checkFolder(folder: string): void {
  const entries = ignoreMissing(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  for (const entry of entries)
    if (entry.isDirectory() && entry.name !== "node_modules") checkFolder(`${folder}/${entry.name}`);
}

/**
 * Checks that a file is readable, because TypeScript omits others.
 *
 * @throws the error of the file system
 */
function checkFile(path: string): void {
  const descriptor = ignoreMissing(() => openSync(path, "r"));
  if (descriptor !== undefined) closeSync(descriptor);
}

/** Returns undefined if a file or folder was removed in the meantime. */
function ignoreMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
}

/** Returns whether options include `strictNullChecks`. Without it, TypeScript removes `null` and `undefined` from types. */
export function hasStrictNullChecks({ strictNullChecks, strict = true }: ts.CompilerOptions): boolean {
  return strictNullChecks ?? strict;
}

/** Returns the path of a file relative to the project folder, with forward slashes. */
export function getModulePath(file: SourceFile, root: string): string {
  return file.getFilePath().slice(root.length + 1);
}

function createProject(
  root: string,
  described: DescribedPackage,
  programs: Pick<Project, "program" | "getConfiguredProgram" | "loadTests">,
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
