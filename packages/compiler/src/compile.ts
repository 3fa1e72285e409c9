import { resolve } from "node:path";
import type { Profile } from "@tenon/runtime/manifest";
import { checkModel } from "./check/check-model.js";
import { reportEmptyServer } from "./check/empty-server.js";
import { checkToolSearch } from "./check/tool-search.js";
import { findSyntaxErrors } from "./check/type-check.js";
import {
  type Compilation,
  createCompilation,
  createUnparsedCompilation,
  createUnreadableCompilation,
} from "./compilation.js";
import { createCollector } from "./diagnostics/diagnostic.js";
import { readForms } from "./elicitation/read-forms.js";
import { createManifest, collectServerFacts } from "./manifest/create-manifest.js";
import { buildEntries } from "./manifest/entry.js";
import { listEntries } from "./profiles/list-entries.js";
import { createProjectLoader, type ProjectLoader } from "./project/project.js";
import { readServer } from "./read/read-server.js";
import { addCheckedSkills } from "./skills/check-mentions.js";
import { addGeneratedSkills, checkGeneratedSkills } from "./skills/generated-skills.js";
import { readSkills } from "./skills/read-skills.js";
import { addSkillOptions } from "./skills/skill-options.js";
import { readViews } from "./views/read-views.js";
import { addOpenAiDialect } from "./dialects/openai.js";
import { addViews } from "./views/view-entries.js";
import { createDerivationCache } from "./schema/derivation/derivation-cache.js";

/** The options of {@link compile}. */
export interface CompileOptions {
  /** The project folder. */
  root: string;
  /** Whether to report TypeScript's own errors as well, as `tsc --noEmit` would. Default: true. */
  typeCheck?: boolean;
  /** Clients that the listed input schemas are written for. Overrides the profile in `src/server.ts`. */
  profile?: Profile;
  /** Whether the sources run as separate ES modules, as in tests. Then `sourceEdits` rewrite CommonJS syntax. */
  asModules?: boolean;
}

/** A compiler that keeps the project loaded, so that compiling again costs only what has changed. */
export interface Compiler {
  compile(): Compilation;
  /**
   * Reads these files again on the next `compile`.
   *
   * @param changedFiles absolute paths
   * @param haveFilesMoved whether to resolve the modules of unchanged files again, since files were added or removed
   */
  refresh(changedFiles: readonly string[], haveFilesMoved?: boolean): void;
}

/**
 * Compiles a project folder: TypeScript in; manifest, server modules, and diagnostics out. It writes nothing, and reports
 * problems of the project as diagnostics instead of throwing.
 *
 * @example
 * const { manifest, diagnostics, emit } = compile({ root: "." });
 * const files = await emit?.();
 */
export function compile(options: CompileOptions): Compilation {
  return createCompiler(options).compile();
}

/** Creates a {@link Compiler}. */
export function createCompiler(options: CompileOptions): Compiler {
  const root = resolve(options.root).replaceAll("\\", "/");
  const loader = createProjectLoader(root);
  const validatorCache = new Map<string, string>();
  return {
    compile: () => compileOnce(root, loader, validatorCache, options),
    refresh: loader.refresh,
  };
}

function compileOnce(
  root: string,
  loader: ProjectLoader,
  validatorCache: Map<string, string>,
  options: CompileOptions,
): Compilation {
  const collector = createCollector(root);
  const project = loader.load(collector);
  if (!project) return createUnreadableCompilation(collector);
  const errors = findSyntaxErrors(project);
  if (errors.length > 0) return createUnparsedCompilation(project, collector, errors);

  const cache = createDerivationCache(project.checker);
  const context = { project, runtime: cache.runtime, cache, collector };
  const read = readServer(context);
  const model = checkModel(read, context);
  const forms = readForms(context);
  const views = readViews(model.declarations, context);
  const built = buildEntries(model.declarations, context);
  const skills = readSkills(context);
  const skillPaths = skills.map(({ path }) => path);
  checkGeneratedSkills(built, model.declarationsRead, skillPaths, { checker: project.checker, collector });
  const profile = options.profile ?? model.config?.profile ?? "portable";
  const entries = listEntries(built, profile, collector);
  const facts = collectServerFacts(model, forms, context);
  const withViews = addViews(createManifest(entries, facts), views);
  const withDialects = addOpenAiDialect(withViews, { model, views, collector });
  const declarations = model.declarationsRead;
  const withSkills = addCheckedSkills(skills, withDialects, { root, declarations, collector });
  const { contents } = withSkills;
  const withOptions = addSkillOptions(withSkills.manifest, skillPaths, model.config, {
    checker: project.checker,
    collector,
  });
  const manifest = addGeneratedSkills(withOptions);
  checkToolSearch(model.config, manifest, project.checker, collector);
  reportEmptyServer(model, manifest, collector);
  return createCompilation(
    { ...context, model, forms, views, profile, entries, manifest, skillContents: contents },
    options,
    validatorCache,
  );
}
