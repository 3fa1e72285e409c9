import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import { checkClasses } from "./classes.js";
import { checkElicitedUrls } from "./elicited-urls.js";
import { checkEverythingRead } from "./everything-read.js";
import { checkNames } from "./names.js";
import { checkOwnSchemas } from "./own-schemas.js";
import { checkScopes } from "./scopes.js";

/**
 * Looks at all declarations together, before any schema is derived.
 *
 * @returns the model without the declarations that cannot be served; the diagnostics say why
 */
export function checkModel(
  read: ServerModel,
  project: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): ServerModel {
  checkEverythingRead(project, read, runtime, collector);
  const named = { ...read, declarations: checkNames(read, collector) };
  const model = { ...named, declarations: checkClasses(named, collector) };
  checkOwnSchemas(model.declarations, collector);
  checkScopes(model, project.checker, collector);
  checkElicitedUrls(project, runtime, collector);
  return model;
}
