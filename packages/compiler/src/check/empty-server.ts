import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import { hasErrors } from "../diagnostics/in-source-order.js";
import type { Manifest } from "@tenon/runtime/manifest";
import type { CheckedModel } from "./check-model.js";

/** Reports a project that declares nothing, unless errors explain that already. */
export function reportEmptyServer(
  { hasRuntime, declarationsRead }: CheckedModel,
  { skills }: Manifest,
  collector: DiagnosticCollector,
): void {
  if (
    hasRuntime &&
    skills === undefined &&
    declarationsRead.length === 0 &&
    !hasErrors(collector.diagnostics)
  )
    collector.reporter()("server-empty", undefined, {});
}
