import type { Declaration, ServerModel } from "../model.js";
import type { ReadContext } from "../read/read-server.js";
import { checkAuthorizeParameters } from "./authorize-parameters.js";
import { checkClasses } from "./classes.js";
import { checkElicitedUrls } from "./elicited-urls.js";
import { checkEverythingRead } from "./everything-read.js";
import { checkHints } from "./hints.js";
import { checkImports } from "./imports.js";
import { checkNames } from "./names.js";
import { checkOverrides } from "./overrides.js";
import { checkCustomSchemas } from "./custom-schemas.js";
import { checkOptions } from "./options.js";
import { checkPrincipals, checkScopes } from "./scopes.js";
import { checkContextCalls } from "./context-calls.js";
import { checkNotifiers } from "./unused-notifiers.js";

/** A model of declarations that can be served. */
export interface CheckedModel extends ServerModel {
  /** All declarations in the sources, including those that cannot be served. */
  declarationsRead: readonly Declaration[];
  /** Whether Tenon's runtime is installed, or the sources do not import it. */
  hasRuntime: boolean;
}

/**
 * Checks all declarations together, before any schema is derived.
 *
 * @returns the model without the declarations that cannot be served; the diagnostics explain why
 */
export function checkModel(read: ServerModel, { project, runtime, collector }: ReadContext): CheckedModel {
  const hasRuntime = checkImports(project, collector);
  checkEverythingRead(project, read, runtime, collector);
  const named = { ...read, declarations: checkNames(read, collector) };
  const model = { ...named, declarations: checkClasses(named, collector) };
  checkOverrides(read, project.checker, collector);
  checkCustomSchemas(model.declarations, collector);
  checkHints(model.declarations, collector);
  checkOptions(model, project.checker, collector);
  checkAuthorizeParameters(model.declarations, project.checker, collector);
  checkScopes(model, project.checker, collector);
  checkPrincipals(model, runtime, project.checker, collector);
  checkElicitedUrls(project, runtime, collector);
  checkContextCalls(model, project, runtime, collector);
  checkNotifiers(model, project, runtime, collector);
  return { ...model, declarationsRead: read.declarations, hasRuntime };
}
