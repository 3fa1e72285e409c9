import { createCollector, type Diagnostic, type DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { BuiltViews } from "./view-hashes.js";
import type { View } from "./view.js";

/** The size above which a view is reported, in bytes. */
const LARGE_VIEW_BYTES = 500_000;

/** The maximum size that all known clients accept, in bytes. */
const MAX_VIEW_BYTES = 1_048_576;

/** Returns the diagnostics about bundled views that are too large for clients. */
export function checkViewSizes(views: readonly View[], built: BuiltViews, root: string): Diagnostic[] {
  const collector = createCollector(root);
  for (const view of views)
    if (view.kind !== "html") reportViewSize(view, Buffer.byteLength(built.get(view.name) ?? ""), collector);
  return collector.diagnostics;
}

/**
 * Reports a view that is too large for clients.
 *
 * @param bytes the size of its HTML
 */
export function reportViewSize(
  { path, tools, at }: View,
  bytes: number,
  collector: DiagnosticCollector,
): void {
  if (bytes <= LARGE_VIEW_BYTES) return;
  const code = bytes > MAX_VIEW_BYTES ? "view-too-large" : "view-large";
  collector.createReport(tools[0]?.name)(code, at, { path, kilobytes: Math.ceil(bytes / 1024) });
}
