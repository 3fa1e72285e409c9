import { readFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Implementation } from "@tenon/runtime/manifest";
import { spanOfRange, type DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { libraryFolder, ts } from "./typescript.js";

/** A project folder as TypeScript sees it. */
export interface Project {
  /** Absolute, with forward slashes. */
  readonly root: string;
  /** Name, version and description from package.json. */
  readonly implementation: Implementation;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The files under `src/` that may declare something to serve; tests and declaration files left out. */
  readonly sourceFiles: readonly ts.SourceFile[];
  /** Every file the author wrote and tsconfig.json names: what a type check covers. */
  readonly ownFiles: readonly ts.SourceFile[];
  /** Whether any TypeScript that is given tsconfig.json looks for errors in the same files, by the same rules. */
  readonly isSeenAlike: boolean;
}

/** A project that stays loaded, so that a second look costs only what has changed. */
export interface ProjectLoader {
  load(collector: DiagnosticCollector): Project | undefined;
  /** Reads these files (absolute paths) again; new and removed ones are noticed. */
  refresh(changedFiles: readonly string[]): void;
}

/** What a project without tsconfig.json is compiled with. */
const DEFAULT_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

const TEST_FILE = /\.(test|spec)\.[cm]?tsx?$/;

/** `root` is an absolute path with forward slashes. Nothing is read before `load`. */
export function createProjectLoader(root: string): ProjectLoader {
  const parsed = new Map<string, ts.SourceFile>();
  let program: ts.Program | undefined;
  let loadedWith = "";
  return {
    load(collector) {
      const implementation = readPackage(root, collector);
      if (!implementation) return undefined;
      const config = readConfig(root, collector);
      if (!config) return undefined;
      // Other options mean other libraries and other resolution: nothing of the old project would be of use.
      if (config.options.emitDecoratorMetadata)
        collector.reporter()("config-decorator-metadata", undefined, {});
      const options = JSON.stringify(config.options);
      if (options !== loadedWith) {
        parsed.clear();
        program = undefined;
        loadedWith = options;
      }
      program = ts.createProgram({
        rootNames: config.fileNames,
        options: config.options,
        host: createHost(config.options, parsed),
        ...(program && { oldProgram: program }),
      });
      return viewOf(root, implementation, program, config);
    },
    refresh(changedFiles) {
      for (const path of changedFiles) parsed.delete(path.replaceAll("\\", "/"));
    },
  };
}

/**
 * Only type errors ask what a comment says (an import may be used by nothing but a `@link`), and declaration
 * files have none. Descriptions are read from the text of a file, by rules of our own.
 */
function jsDocParsingMode(path: string): ts.JSDocParsingMode {
  const { ParseForTypeErrors, ParseForTypeInfo } = ts.JSDocParsingMode;
  return /\.d\.[cm]?ts$/.test(path) ? ParseForTypeInfo : ParseForTypeErrors;
}

/** Reads what has not been read before. */
function createHost(options: ts.CompilerOptions, parsed: Map<string, ts.SourceFile>): ts.CompilerHost {
  // Parents are set by the binder, which sees every file before the checker is asked anything.
  const host = ts.createCompilerHost(options, false);
  const getSourceFile = host.getSourceFile.bind(host);
  return Object.assign(host, {
    getDefaultLibLocation: () => libraryFolder,
    getDefaultLibFileName: () => `${libraryFolder}/${ts.getDefaultLibFileName(options)}`,
    getSourceFile: (path: string, settings: ts.CreateSourceFileOptions) => {
      const known = parsed.get(path);
      if (known) return known;
      const file = getSourceFile(path, { ...settings, jsDocParsingMode: jsDocParsingMode(path) });
      if (file) parsed.set(path, file);
      return file;
    },
  });
}

function viewOf(
  root: string,
  implementation: Implementation,
  program: ts.Program,
  config: ts.ParsedCommandLine,
): Project {
  const checker = program.getTypeChecker();
  const ownFiles = config.fileNames.flatMap((name) => program.getSourceFile(name) ?? []);
  const prefix = `${root}/src/`;
  const sourceFiles = ownFiles
    .filter(
      (file) => file.fileName.startsWith(prefix) && !file.isDeclarationFile && !TEST_FILE.test(file.fileName),
    )
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
  return { root, implementation, program, checker, sourceFiles, ownFiles, isSeenAlike: isSeenAlike(config) };
}

/**
 * `tsc` reads what a referenced project has built, as old as that may be, where this program reads its sources. And
 * what types JavaScript has is another question to each generation of TypeScript.
 */
function isSeenAlike({ options, projectReferences = [] }: ts.ParsedCommandLine): boolean {
  return projectReferences.length === 0 && !options.allowJs && !options.checkJs;
}

function readPackage(root: string, collector: DiagnosticCollector): Implementation | undefined {
  const report = collector.reporter();
  const path = join(root, "package.json");
  if (!existsSync(root) || !statSync(root).isDirectory()) {
    report("config-not-a-project", undefined, { folder: root, missing: "folder" });
    return undefined;
  }
  if (!existsSync(path)) {
    report("config-not-a-project", undefined, { folder: root, missing: "package.json" });
    return undefined;
  }
  if (!existsSync(join(root, "src"))) {
    report("config-not-a-project", undefined, { folder: root, missing: "src" });
    return undefined;
  }
  const text = readFileSync(path, "utf8");
  const file = ts.parseJsonText(path, text);
  const parsed = ts.readConfigFile(path, () => text);
  if (parsed.error || typeof parsed.config !== "object" || parsed.config === null) {
    const at = parsed.error?.start ?? 0;
    const span = spanOfRange(file, at, at + (parsed.error?.length ?? 1), root);
    const problem = parsed.error
      ? ts.flattenDiagnosticMessageText(parsed.error.messageText, "\n")
      : "Not an object.";
    report("config-unreadable", span, { file: "package.json", problem });
    return undefined;
  }
  const { name, version, description } = parsed.config as Record<string, unknown>;
  return {
    name: typeof name === "string" && name ? name : (root.split("/").at(-1) ?? "server"),
    version: typeof version === "string" && version ? version : "0.0.0",
    ...(typeof description === "string" && description ? { description } : {}),
  };
}

function readConfig(root: string, collector: DiagnosticCollector): ts.ParsedCommandLine | undefined {
  const path = `${root}/tsconfig.json`;
  const host: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const raw = existsSync(path)
    ? ts.readConfigFile(path, (name) => ts.sys.readFile(name))
    : { config: { include: ["src"], compilerOptions: {} } };
  const parsed = raw.config
    ? ts.parseJsonConfigFileContent(
        raw.config,
        host,
        root,
        existsSync(path) ? undefined : DEFAULT_OPTIONS,
        path,
      )
    : undefined;
  const problems = [...(raw.error ? [raw.error] : []), ...(parsed?.errors ?? [])];
  for (const problem of problems) {
    const text = ts.flattenDiagnosticMessageText(problem.messageText, "\n");
    collector.reporter()("config-unreadable", undefined, { file: "tsconfig.json", problem: text });
  }
  if (problems.length > 0 || !parsed) return undefined;
  // Nothing is emitted through this program, and output folders would only narrow what may be read.
  const options: ts.CompilerOptions = {
    ...parsed.options,
    noEmit: true,
    composite: false,
    incremental: false,
  };
  delete options.outDir;
  delete options.tsBuildInfoFile;
  delete options.declaration;
  delete options.declarationDir;
  delete options.declarationMap;
  delete options.emitDeclarationOnly;
  delete options.isolatedDeclarations;
  return { ...parsed, options };
}
