import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Project } from "../project/project.js";
import type { DerivationCache } from "../schema/derivation/derivation-cache.js";
import type { ProtocolTypes } from "./protocol-types.js";

/** The context in which an entry is built. */
export interface BuildContext {
  project: Project;
  /** Results that derivations share. */
  cache: DerivationCache;
  /** The specification's types, which are sent as they are. */
  protocol: ProtocolTypes;
  collector: DiagnosticCollector;
}
