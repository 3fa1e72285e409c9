import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Project } from "../project/project.js";
import type { DerivationCache } from "../schema/derivation-cache.js";
import type { ProtocolTypes } from "./protocol-types.js";

/** What building an entry needs besides its declaration. */
export interface BuildContext {
  project: Project;
  /** What deriving one type found out and the next can use. */
  cache: DerivationCache;
  /** What travels as it is. */
  protocol: ProtocolTypes;
  collector: DiagnosticCollector;
}
