import type { Manifest, Profile } from "@tenon/runtime/manifest";
import { findAffected, type AffectedDeclarations } from "./check/affected-declarations.js";
import type { CheckedModel } from "./check/check-model.js";
import { typeCheck, typeCheckWithPauses } from "./check/type-check.js";
import {
  createCollector,
  type DeclarationName,
  type Diagnostic,
  type DiagnosticCollector,
  type SourceSpan,
  toNodeSpan,
} from "./diagnostics/diagnostic.js";
import { hasErrors, sortBySource, mergeDiagnostics } from "./diagnostics/in-source-order.js";
import { checkDirectories, type SettingProblem } from "./directories/check-directories.js";
import type { DirectoryName } from "./directories/directory.js";
import type { FileTree } from "./emit/file-tree.js";
import type { EmitInput } from "./emit/emit.js";
import type { SkillContents } from "./skills/skill.js";
import type { BuiltViews } from "./views/view-hashes.js";
import type { Forms } from "./elicitation/read-forms.js";
import { type Question, readQuestions } from "./elicitation/read-questions.js";
import type { BuiltEntry } from "./manifest/entry.js";
import type { Declaration } from "./model.js";
import { findChangedFiles } from "./project/changed-files.js";
import { createDeclarationFiles } from "./project/declaration-files.js";
import { findOutsideFiles } from "./project/outside-files.js";
import type { Project } from "./project/project.js";
import { createRuntimeSymbols, type RuntimeSymbols } from "./typescript/runtime-symbols.js";
import { keepClassNames } from "./read/class-names.js";
import { collectEdits } from "./read/collect-edits.js";
import { addDecoratorMetadata } from "./read/decorator-metadata.js";
import { type Environment, readEnvironment } from "./read/environment.js";
import { findMemoryState } from "./read/memory-state.js";
import { eraseDecorators, needsDecorators } from "./read/erasable-decorators.js";
import { readServer } from "./read/read-server.js";
import { inlineAmbientEnums } from "./read/inlined-enums.js";
import { markTypeExports } from "./read/type-exports.js";
import { importWholeModules, requireWholeModules } from "./read/whole-modules.js";
import { mergeEdits, type SourceEdits } from "./source-edits.js";
import { checkViewSizes } from "./views/check-view-sizes.js";
import type { View, ViewSource } from "./views/view.js";
import { listViewSources } from "./views/view-entries.js";

/** The result of compiling a project. */
export interface Compilation {
  /** Everything that can be served, even if other declarations were rejected. Absent if the project could not be read. */
  manifest?: Manifest;
  /**
   * The views to build. Their URIs in the manifest lack hashes until the views are built. Absent if the project could not
   * be read.
   */
  views?: readonly ViewSource[];
  /** Returns the diagnostics about the sizes of built views. Absent if the project could not be read. */
  checkViews?(views: BuiltViews): Diagnostic[];
  /**
   * Creates the modules of the server for the project's `dist/` folder. Absent if there is an error. This is a separate
   * step, so that callers that only need the manifest do not wait for validators.
   *
   * @param views the HTML of `views`
   */
  emit?(views?: BuiltViews): Promise<FileTree>;
  /**
   * Edits to make in the author's sources when they are bundled, in the order of offsets. They add form IDs to calls of
   * `Context.elicit`, remove decorators that the server does not need, add the type metadata that `tsconfig.json`
   * requests, and rewrite imports, exports, and enums that a bundler would misinterpret.
   */
  sourceEdits?: SourceEdits;
  /** Clients that the listed input schemas are written for. Absent if the project could not be read. */
  profile?: Profile;
  /**
   * Returns the reasons why public directories would reject the server, as far as the build can detect them. Absent if the
   * project could not be read.
   *
   * @param problems missing settings of the package, each with the edit to make
   */
  checkDirectories?(
    directories: readonly DirectoryName[],
    problems?: readonly SettingProblem[],
  ): Diagnostic[];
  /** Returns where a tool, prompt, or resource is declared, by its name or URI. Absent if the project could not be read. */
  locate?(kind: DeclarationName["kind"], name: string): SourceSpan | undefined;
  /**
   * Returns the requests that a tool, prompt, or resource may send to its client, by its name or URI, as far as the source
   * shows them. Absent if the project could not be read.
   */
  listQuestions?(kind: DeclarationName["kind"], name: string): readonly Question[];
  /** Whether `auth` or `http.principal` may identify callers over HTTP. Absent if the project could not be read. */
  identifiesHttpCallers?: boolean;
  /** Returns the environment variables that the author's sources read. Absent if the project could not be read. */
  readEnvironment?(): Environment;
  /**
   * Returns the variables and fields in which the server collects state that a restart loses, such as `Notes.notes`.
   * Absent if the project could not be read.
   */
  findMemoryState?(): string[];
  /**
   * Whether the files that tsconfig.json includes use `@tenon/cli/testing`, so that their types depend on the server. Absent
   * if the project could not be read.
   */
  usesServerTypes?: boolean;
  diagnostics: Diagnostic[];
  /**
   * Creates the modules of a server that contains only the declarations without errors. Present if every error belongs to
   * a declaration or a skill, and at least one declaration has none.
   */
  emitOthers?(views?: BuiltViews): Promise<FileTree>;
  /** Returns the declarations that errors affect. Absent if there is no program. */
  findAffected?(diagnostics: readonly Diagnostic[]): AffectedDeclarations;
  /** Returns the files outside the project that TypeScript read, such as those of other packages in the workspace. */
  findOutsideFiles?(): string[];
  /**
   * Returns the author's files whose contents have changed since they were compiled, relative to the project folder. Absent
   * if the project could not be read.
   */
  findChangedFiles?(): string[];
  /**
   * Checks the types, and returns all diagnostics, including TypeScript's own errors. A caller that compiles without the
   * option `typeCheck` can bundle the modules in the meantime.
   */
  typeCheck(): Promise<Diagnostic[]>;
  /**
   * Returns TypeScript's errors in the tests if these have a separate tsconfig.json, such as `test/tsconfig.json`. The types of
   * the server in `.tenon/` must be up to date. Absent if the project could not be read.
   */
  typeCheckTests?(): Promise<Diagnostic[]>;
}

/** Returns the compilation of a project that cannot be read. */
export function createUnreadableCompilation({
  diagnostics,
}: Pick<DiagnosticCollector, "diagnostics">): Compilation {
  return { diagnostics, typeCheck: () => Promise.resolve(diagnostics) };
}

/** Returns the compilation of a project whose sources have syntax errors. */
export function createUnparsedCompilation(
  project: Project,
  collector: DiagnosticCollector,
  errors: readonly Diagnostic[],
): Compilation {
  const context = {
    project,
    runtime: createRuntimeSymbols(project.checker),
    collector: createCollector(project.root),
  };
  const readDeclarations = (): Declaration[] => readServer(context).declarations;
  return {
    ...createUnreadableCompilation({ diagnostics: sortBySource([...collector.diagnostics, ...errors]) }),
    findAffected: (diagnostics) => findAffected(diagnostics, readDeclarations(), project),
    findOutsideFiles: () => findOutsideFiles(project),
  };
}

/** Matches the function or the path with which a server responds to OpenAI's challenge. */
const OPENAI_CHALLENGE = /\bopenAiChallenge\b|openai-apps-challenge/;

/** Matches an import in tests, and in `.tenon/server.d.ts`. */
const TESTING_IMPORT = /["']@tenon\/cli\/testing["']/;

/** The output of the phases for a project. */
export interface CompiledProject {
  project: Project;
  runtime: RuntimeSymbols;
  collector: DiagnosticCollector;
  model: CheckedModel;
  forms: Forms;
  views: readonly View[];
  profile: Profile;
  /** The entries that are served. */
  entries: readonly BuiltEntry[];
  manifest: Manifest;
  /** The files of skills, by hash. */
  skillContents: SkillContents;
}

/**
 * Returns the compilation of a project that could be read.
 *
 * @param validatorCache the validators of earlier compilations, by the schemas that they check
 */
export function createCompilation(
  {
    project,
    runtime,
    collector,
    model,
    forms,
    views,
    profile,
    entries,
    manifest,
    skillContents,
  }: CompiledProject,
  options: { typeCheck?: boolean; asModules?: boolean },
  validatorCache: Map<string, string>,
): Compilation {
  const { root } = project;
  const found = collector.diagnostics;
  const isChecked = options.typeCheck ?? true;
  const diagnostics = isChecked ? mergeDiagnostics(found, typeCheck(project)) : sortBySource(found);
  const byName = indexByName(model.declarations);
  let listByDeclaration: ((declaration: Declaration) => readonly Question[]) | undefined;
  const locate: Compilation["locate"] = (kind, name) => {
    const declared = byName.get(`${kind} ${name}`);
    return declared && toNodeSpan(declared.method.name, root);
  };
  const compilation: Compilation = {
    manifest,
    profile,
    views: listViewSources(manifest, views),
    checkViews: (built) => checkViewSizes(views, built, root),
    checkDirectories: (directories, problems) =>
      checkDirectories(manifest, {
        directories,
        problems,
        hasOAuth: model.config?.auth?.isOAuth ?? false,
        hasOpenAiDialect: model.config?.dialects?.names.includes("openai") ?? false,
        hasOpenAiChallenge: project.sourceFiles.some((each) => OPENAI_CHALLENGE.test(each.getFullText())),
        locate,
        root,
      }),
    locate,
    listQuestions: (kind, name) => {
      listByDeclaration ??= readQuestions({ project, runtime, forms: forms.byCall });
      const declared = byName.get(`${kind} ${name}`);
      return declared ? listByDeclaration(declared) : [];
    },
    identifiesHttpCallers: model.config?.identifiesHttpCallers ?? false,
    readEnvironment: () => readEnvironment(project),
    findMemoryState: () => findMemoryState(project, model.declarations),
    usesServerTypes: project.ownFiles.some(({ text }) => TESTING_IMPORT.test(text)),
    diagnostics,
    typeCheck: async () => mergeDiagnostics(found, await typeCheckWithPauses(project)),
    typeCheckTests: () => checkTests(project),
    findAffected: (errors) => findAffected(errors, model.declarationsRead, project),
    findOutsideFiles: () => findOutsideFiles(project),
    findChangedFiles: () => findChangedFiles(project),
  };
  const isComplete = !hasErrors(diagnostics);
  const areAttributed = diagnostics.every(
    ({ severity, declaration, skill }) => severity !== "error" || declaration || skill !== undefined,
  );
  if (!isComplete && (!areAttributed || entries.length === 0)) return compilation;
  const emit = (built?: BuiltViews): Promise<FileTree> =>
    emitServer(project, model, { manifest, skillContents, views: built }, validatorCache);
  const sourceEdits = mergeEdits(
    forms.edits,
    eraseDecorators(model.declarations, root),
    collectEdits(project, [
      keepClassNames,
      addDecoratorMetadata(project),
      inlineAmbientEnums(project),
      markTypeExports(project),
      options.asModules ? importWholeModules(project) : requireWholeModules(project),
    ]),
  );
  return { ...compilation, ...(isComplete ? { emit } : { emitOthers: emit }), sourceEdits };
}

async function checkTests({ root, ownFiles, loadTests }: Project): Promise<Diagnostic[]> {
  const collector = createCollector(root);
  const tests = loadTests(ownFiles, collector);
  return tests ? typeCheckWithPauses(tests) : collector.diagnostics;
}

async function emitServer(
  project: Project,
  { config, declarations: served }: CheckedModel,
  parts: Pick<EmitInput, "manifest" | "skillContents" | "views">,
  validatorCache: Map<string, string>,
): Promise<FileTree> {
  // Loading ajv takes 50 ms, which is not needed for the manifest.
  const { emit } = await import("./emit/emit.js");
  const { module: configModule, hasExports, hasStore, hasComputedName, unseenOptions } = config ?? {};
  const declarations = hasExports && configModule ? createDeclarationFiles(project, configModule) : undefined;
  const { hasRedisClient } = project;
  return emit(
    {
      ...parts,
      configModule,
      declarations,
      needsDecorators: needsDecorators(served),
      hasStore,
      hasComputedName,
      unseenOptions,
      hasRedisClient,
    },
    validatorCache,
  );
}

/** Maps declarations by kind and name or URI. If two declarations clash, the first one wins. */
function indexByName(declarations: readonly Declaration[]): ReadonlyMap<string, Declaration> {
  return new Map(
    declarations.toReversed().flatMap((each) => {
      const { kind, name } = each.name;
      const names = each.kind === "resource" ? [name, each.uri] : [name];
      return names.map((one): [string, Declaration] => [`${kind} ${one}`, each]);
    }),
  );
}
