import { resolve } from "node:path";
import type { Manifest, Profile } from "@tenon/runtime/manifest";
import { checkClasses } from "./check/classes.js";
import { checkNames } from "./check/names.js";
import { checkRuntimeInstalled } from "./check/runtime-installed.js";
import { createCollector, type Diagnostic, type SourceSpan } from "./diagnostics/diagnostic.js";
import { typeCheck, typeCheckWithPauses } from "./check/type-check.js";
import { createEmitter, type Emitter } from "./emit/emitter.js";
import type { FileTree } from "./emit/file-tree.js";
import { readForms, type Insertion } from "./forms/read-forms.js";
import { buildManifest } from "./manifest/build.js";
import { createProjectLoader, type ProjectLoader } from "./project/project.js";
import { readServer } from "./read/read-server.js";
import { readUses } from "./read/source-uses.js";
import { withoutSpentDecorators } from "./read/erasable-decorators.js";
import { createDerivationCache } from "./schema/derivation-cache.js";

export interface CompileOptions {
  /** The project folder. */
  root: string;
  /** Also report TypeScript's own errors, as `tsc --noEmit` would. Default true. */
  typeCheck?: boolean;
  /** Which clients the listed input schemas are written for, instead of those that `src/server.ts` names. */
  profile?: Profile;
}

/** All that came out of one look at a project. */
export interface Compilation {
  /** Everything that can be served, even when other declarations were refused. Absent when the project could not be read. */
  manifest?: Manifest;
  /**
   * Writes the modules of the server, for the project's `dist/` folder. Absent when there is any error. A step of
   * its own: who only looks at the manifest waits neither for validators nor for what compiles them.
   */
  emit?(): Promise<FileTree>;
  /**
   * What has to be changed in the author's sources when they are bundled, by file (relative to the project folder)
   * and in the order of offsets: each call of `Context.elicit` is told which form is its own, and decorators go that
   * have nothing left to do.
   */
  insertions?: ReadonlyMap<string, readonly Insertion[]>;
  /** Which clients the listed input schemas are written for. Absent when the project could not be read. */
  profile?: Profile;
  diagnostics: Diagnostic[];
  /**
   * The diagnostics with TypeScript's own errors among them, for who compiles without `typeCheck`, so that the
   * modules can be bundled meanwhile.
   *
   * @param typesAreRight asked again and again: true once another TypeScript, run on the project's tsconfig.json, has
   *   found no error. Types are not looked at any further then, unless it may see the project differently
   */
  checked(typesAreRight?: () => boolean): Promise<Diagnostic[]>;
}

/** A compiler that keeps the project loaded, so that compiling again costs only what has changed. */
export interface Compiler {
  compile(): Compilation;
  /** Reads these files (absolute paths) again on the next `compile`. */
  refresh(changedFiles: readonly string[]): void;
}

/**
 * Compiles a project folder: TypeScript in; manifest, server modules and diagnostics out. Writes nothing and
 * never throws for what is wrong in the project.
 *
 * @example
 * const { manifest, diagnostics, emit } = compile({ root: "." });
 * const files = await emit?.();
 */
export function compile(options: CompileOptions): Compilation {
  return createCompiler(options).compile();
}

/** See {@link Compiler}. */
export function createCompiler(options: CompileOptions): Compiler {
  const root = resolve(options.root).replaceAll("\\", "/");
  const loader = createProjectLoader(root);
  const emitter = createEmitter();
  return {
    compile: () => compileOnce(root, loader, emitter, options),
    refresh: (changedFiles) => loader.refresh(changedFiles),
  };
}

function compileOnce(
  root: string,
  loader: ProjectLoader,
  emitter: Emitter,
  options: CompileOptions,
): Compilation {
  const collector = createCollector(root);
  const project = loader.load(collector);
  const found = collector.diagnostics;
  if (!project) return { diagnostics: found, checked: () => Promise.resolve(found) };

  const cache = createDerivationCache(project.checker);
  const { runtime } = cache;
  const read = readServer(project, runtime, collector);
  const named = { ...read, declarations: checkNames(read, collector) };
  const model = { ...named, declarations: checkClasses(named, project, collector) };
  const profile = options.profile ?? model.config?.profile ?? "portable";
  const context = { project, cache, collector, profile };
  const { forms, insertions } = readForms(context);
  const built = buildManifest(model, context);
  const manifest: Manifest = Object.keys(forms).length > 0 ? { ...built, forms } : built;
  if (checkRuntimeInstalled(project, collector) && read.declarations.length === 0 && !hasErrors(found)) {
    collector.reporter()("server-empty", undefined, {});
  }
  const withErrorsOfTypes = (errors: readonly Diagnostic[]): Diagnostic[] =>
    inSourceOrder([...found, ...notShadowed(errors, found)]);
  const checked: Compilation["checked"] = async (typesAreRight) =>
    withErrorsOfTypes(await typeCheckWithPauses(project, typesAreRight));
  const isChecked = options.typeCheck ?? true;
  const diagnostics = isChecked ? withErrorsOfTypes(typeCheck(project)) : inSourceOrder(found);
  if (hasErrors(diagnostics)) return { manifest, profile, diagnostics, checked };
  const configModule = model.config?.module;
  return {
    manifest,
    emit: () => emitter({ manifest, uses: readUses(model, project), ...(configModule && { configModule }) }),
    insertions: withoutSpentDecorators(model.declarations, root, insertions),
    profile,
    diagnostics,
    checked,
  };
}

/** Where an error of ours explains a place already, TypeScript's own words for it would only be noise. */
function notShadowed(found: readonly Diagnostic[], ours: readonly Diagnostic[]): Diagnostic[] {
  const spans = ours.flatMap(({ severity, span }) => (severity === "error" && span ? [span] : []));
  return found.filter(({ span }) => !span || !spans.some((outer) => contains(outer, span)));
}

function contains(outer: SourceSpan, inner: SourceSpan): boolean {
  const { start, end } = outer;
  const { line, column } = inner.start;
  if (outer.file !== inner.file || line < start.line || line > end.line) return false;
  return !(line === start.line && column < start.column) && !(line === end.line && column >= end.column);
}

function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** Phases report in their own order; a reader goes through the files from top to bottom. */
function inSourceOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const position = ({ span }: Diagnostic): [string, number, number] => [
    span?.file ?? "",
    span?.start.line ?? 0,
    span?.start.column ?? 0,
  ];
  return [...diagnostics].sort((a, b) => {
    const [fileA, lineA, columnA] = position(a);
    const [fileB, lineB, columnB] = position(b);
    return fileA < fileB ? -1 : fileA > fileB ? 1 : lineA - lineB || columnA - columnB;
  });
}
