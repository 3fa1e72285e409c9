import type { Report } from "../diagnostics/diagnostic.js";
import type { ts } from "../project/typescript.js";
import type { DerivationCache } from "../schema/derivation-cache.js";

/** What making a form needs besides the type it asks for. */
export interface FormContext {
  checker: ts.TypeChecker;
  cache: DerivationCache;
  report: Report;
}
