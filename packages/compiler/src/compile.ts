import { resolve } from "node:path";
import type { Manifest, Profile } from "@tenon/runtime/manifest";
import { affectedBy, type Affected } from "./check/affected.js";
import { checkHeaders } from "./check/headers.js";
import { checkModel } from "./check/check-model.js";
import { checkImports } from "./check/imports.js";
import {
  createCollector,
  type DeclarationName,
  type Diagnostic,
  type SourceSpan,
  spanOf,
} from "./diagnostics/diagnostic.js";
import { hasErrors, inSourceOrder, mergeDiagnostics } from "./diagnostics/in-source-order.js";
import { syntaxErrors, typeCheck, typeCheckWithPauses } from "./check/type-check.js";
import type { FileTree } from "./emit/file-tree.js";
import { readForms } from "./forms/read-forms.js";
import { type Question, readQuestions } from "./forms/read-questions.js";
import type { Declaration } from "./model.js";
import { declarationFiles } from "./project/declaration-files.js";
import { createRuntimeSymbols } from "./project/runtime-symbols.js";
import { createManifest } from "./manifest/create-manifest.js";
import { buildEntries } from "./manifest/entry.js";
import { createProtocolTypes } from "./manifest/protocol-types.js";
import { checkListedSchemas } from "./profiles/check-listed.js";
import { listEntries } from "./profiles/list-entries.js";
import { filesBeside } from "./project/files-beside.js";
import { createProjectLoader, type ProjectLoader } from "./project/project.js";
import { type EnvironmentVariable, readEnvironment } from "./read/environment.js";
import { readServer } from "./read/read-server.js";
import { reportsUpdates } from "./read/resource-updates.js";
import { addDecoratorMetadata } from "./read/decorator-metadata.js";
import { eraseDecorators, keepsDecorators } from "./read/erasable-decorators.js";
import { importWholeModules, requireWholeModules } from "./read/whole-modules.js";
import { createDerivationCache } from "./schema/derivation-cache.js";
import { mergeEdits, type SourceEdits } from "./source-edits.js";

export interface CompileOptions {
  /** The project folder. */
  root: string;
  /** Also report TypeScript's own errors, as `tsc --noEmit` would. Default true. */
  typeCheck?: boolean;
  /** Which clients the listed input schemas are written for, instead of those that `src/server.ts` names. */
  profile?: Profile;
  /** Each source runs as an ES module of its own, as in tests: `sourceEdits` write what CommonJS alone has as modules do. */
  asModules?: boolean;
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
   * What has to be changed in the author's sources when they are bundled, in the order of offsets: each call of
   * `Context.elicit` is told which form is its own, decorators go that have nothing left to do, those that stay have
   * the metadata of types that `tsconfig.json` asks for, and imports mean what they mean to TypeScript.
   */
  sourceEdits?: SourceEdits;
  /** Which clients the listed input schemas are written for. Absent when the project could not be read. */
  profile?: Profile;
  /** Where a tool, a prompt or a resource is declared, by its name or URI. Absent when the project could not be read. */
  locate?(kind: DeclarationName["kind"], name: string): SourceSpan | undefined;
  /**
   * What a tool, a prompt or a resource may ask of its client, by its name or URI, as far as the source tells. Absent when the
   * project could not be read.
   */
  questions?(kind: DeclarationName["kind"], name: string): readonly Question[];
  /** The variables of the environment that the author's sources read. Absent when the project could not be read. */
  environment?(): EnvironmentVariable[];
  diagnostics: Diagnostic[];
  /**
   * The same as `emit`, of a project in which some declarations cannot be served: a server of all the others. Present
   * where each error belongs to a declaration, and some have none.
   */
  emitOthers?(): Promise<FileTree>;
  /** Which declarations the errors among these diagnostics are about. Absent when there is no program to look into. */
  affected?(diagnostics: readonly Diagnostic[]): Affected;
  /** The files beside the project that TypeScript read, such as those of another package of the same workspace. */
  filesBeside?(): string[];
  /**
   * The diagnostics with TypeScript's own errors among them, for who compiles without `typeCheck`, so that the
   * modules can be bundled meanwhile.
   */
  checked(): Promise<Diagnostic[]>;
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
  const validatorCache = new Map<string, string>();
  return {
    compile: () => compileOnce(root, loader, validatorCache, options),
    refresh: (changedFiles) => loader.refresh(changedFiles),
  };
}

/** Of a project that cannot be read. */
function unread(diagnostics: Diagnostic[]): Compilation {
  return { diagnostics, checked: () => Promise.resolve(diagnostics) };
}

function compileOnce(
  root: string,
  loader: ProjectLoader,
  validatorCache: Map<string, string>,
  options: CompileOptions,
): Compilation {
  const collector = createCollector(root);
  const project = loader.load(collector);
  const found = collector.diagnostics;
  if (!project) return unread(found);

  const unparsed = syntaxErrors(project);
  if (unparsed.length > 0) {
    const unheard = createCollector(root);
    const readable = (): Declaration[] =>
      readServer(project, createRuntimeSymbols(project.checker), unheard).declarations;
    return {
      ...unread(inSourceOrder([...found, ...unparsed])),
      affected: (diagnostics) => affectedBy(diagnostics, readable(), project),
      filesBeside: () => filesBeside(project),
    };
  }

  const cache = createDerivationCache(project.checker);
  const { runtime } = cache;
  const hasRuntime = checkImports(project, collector);
  const read = readServer(project, runtime, collector);
  const model = checkModel(read, project, runtime, collector);

  const context = { project, cache, collector };
  const { forms, byCall, edits } = readForms(context);
  const protocol = createProtocolTypes(project, runtime);
  const built = buildEntries(model.declarations, { ...context, protocol });
  for (const { kind, declaration, entry } of built) {
    if (kind !== "tool") continue;
    checkHeaders(declaration, entry.definition.inputSchema, project.checker, collector);
  }
  const profile = options.profile ?? model.config?.profile ?? "portable";
  const listed = listEntries(built, profile, collector);
  checkListedSchemas(listed, collector);
  const served = listed.filter(({ declaration }) => !collector.refused.has(declaration.name));
  const { implementation, hasRedisClient } = project;
  const reports = reportsUpdates(project, runtime);
  const facts = { implementation, config: model.config, forms, reportsUpdates: reports };
  const manifest = createManifest(served, facts);

  if (hasRuntime && read.declarations.length === 0 && !hasErrors(found)) {
    collector.reporter()("server-empty", undefined, {});
  }
  const checked = async (): Promise<Diagnostic[]> =>
    mergeDiagnostics(found, await typeCheckWithPauses(project));
  const isChecked = options.typeCheck ?? true;
  const diagnostics = isChecked ? mergeDiagnostics(found, typeCheck(project)) : inSourceOrder(found);
  const byName = declarationsByName(model.declarations);
  const declared = (kind: DeclarationName["kind"], name: string): Declaration | undefined =>
    byName.get(`${kind} ${name}`);
  const locate: Compilation["locate"] = (kind, name) => {
    const found = declared(kind, name);
    return found && spanOf(found.method.name, root);
  };
  let questionsOf: ((declaration: Declaration) => readonly Question[]) | undefined;
  const questions: Compilation["questions"] = (kind, name) => {
    questionsOf ??= readQuestions({ project, runtime, forms: byCall });
    const found = declared(kind, name);
    return found ? questionsOf(found) : [];
  };
  const environment = (): EnvironmentVariable[] => readEnvironment(project);
  const { module: configModule, hasExports, hasStore, hasComputedName } = model.config ?? {};
  const emitServer = async (): Promise<FileTree> => {
    // Loading ajv takes 50 ms, for which whoever only looks at the manifest need not wait.
    const { emit } = await import("./emit/emit.js");
    const declarations = hasExports && configModule ? declarationFiles(project, configModule) : undefined;
    const input = { manifest, configModule, declarations, hasStore, hasComputedName, hasRedisClient };
    return emit({ ...input, keepsDecorators: keepsDecorators(model.declarations) }, validatorCache);
  };
  const looked: Compilation = {
    manifest,
    profile,
    locate,
    questions,
    environment,
    diagnostics,
    checked,
    affected: (about) => affectedBy(about, read.declarations, project),
    filesBeside: () => filesBeside(project),
  };
  const sourceEdits = (): SourceEdits =>
    mergeEdits(
      edits,
      eraseDecorators(model.declarations, root),
      addDecoratorMetadata(project),
      options.asModules ? importWholeModules(project) : requireWholeModules(project),
    );
  if (!hasErrors(diagnostics)) return { ...looked, emit: emitServer, sourceEdits: sourceEdits() };
  const isAboutSome = diagnostics.every(({ severity, declaration }) => severity !== "error" || declaration);
  if (!isAboutSome || served.length === 0) return looked;
  return { ...looked, emitOthers: emitServer, sourceEdits: sourceEdits() };
}

/** By kind and name, or URI; of two that clash, the first. */
function declarationsByName(declarations: readonly Declaration[]): ReadonlyMap<string, Declaration> {
  return new Map(
    declarations.toReversed().flatMap((each) => {
      const { kind, name } = each.name;
      const names = each.kind === "resource" ? [name, each.uri] : [name];
      return names.map((one): [string, Declaration] => [`${kind} ${one}`, each]);
    }),
  );
}
