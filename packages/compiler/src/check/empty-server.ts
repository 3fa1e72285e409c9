import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { hasErrors } from "../diagnostics/in-source-order.js";
import type { CheckedModel } from "./check-model.js";

/** Reports a project that declares nothing, unless errors explain that already. */
export function reportEmptyServer(
  { hasRuntime, declarationsRead }: CheckedModel,
  collector: DiagnosticCollector,
): void {
  if (hasRuntime && declarationsRead.length === 0 && !hasErrors(collector.diagnostics))
    collector.reporter()("server-empty", undefined, {});
}
