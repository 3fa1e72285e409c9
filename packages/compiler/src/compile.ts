import { resolve } from "node:path";
import type { Profile } from "@tenon/runtime/manifest";
import { checkManifest } from "./check/check-manifest.js";
import { checkModel } from "./check/check-model.js";
import { reportUnreadTags } from "./check/unread-tags.js";
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
import { addSkills } from "./skills/add-skills.js";
import { checkGeneratedSkills } from "./skills/generated-skills.js";
import { readSkills } from "./skills/read-skills.js";
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
  const model = checkModel(readServer(context), context);
  const forms = readForms(context);
  const views = readViews(model.declarations, context);
  const skills = readSkills(context);
  const built = buildEntries(model.declarations, context);
  checkGeneratedSkills(built, model.declarationsRead, skills, context);
  const profile = options.profile ?? model.config?.profile ?? "portable";
  const entries = listEntries(built, profile, collector);
  const withEntries = createManifest(entries, collectServerFacts(model, forms, context));
  const withViews = addOpenAiDialect(addViews(withEntries, views), { model, views, collector });
  const { manifest, contents } = addSkills(withViews, skills, model, context);
  checkManifest(manifest, model, context);
  reportUnreadTags(cache.comments, collector);
  return createCompilation(
    { ...context, model, forms, views, profile, entries, manifest, skillContents: contents },
    options,
    validatorCache,
  );
}
