import type { Manifest } from "@tenon/runtime/manifest";
import { hasErrors } from "../diagnostics/in-source-order.js";
import { findConfigOption } from "../read/literals.js";
import type { ReadContext } from "../read/read-server.js";
import type { CheckedModel } from "./check-model.js";

/** The names of the tools that clients see in search mode. */
const OWN_TOOLS = ["search_tools", "call_tool"];

/** Checks a complete manifest: that the server serves something, and that the search mode works. */
export function checkManifest(manifest: Manifest, model: CheckedModel, context: ReadContext): void {
  checkToolSearch(manifest, model, context);
  reportEmptyServer(manifest, model, context);
}

/** Reports tools that the search mode would hide, and names in `always` that no tool has. */
function checkToolSearch(
  { tools, toolSearch }: Manifest,
  { config }: CheckedModel,
  { project, collector }: ReadContext,
): void {
  if (toolSearch === undefined || config === undefined) return;
  const at = config.argument && findConfigOption(config.argument, "toolSearch", project.checker);
  const names = tools.map(({ definition }) => definition.name);
  const report = collector.createReport();
  for (const name of OWN_TOOLS.filter((each) => names.includes(each)))
    report("tool-search-name-taken", at, { name });
  for (const name of toolSearch.always?.filter((each) => !names.includes(each)) ?? [])
    report("tool-search-unknown", at, { name, names });
}

/** Reports a project that declares nothing, unless errors already explain that. */
function reportEmptyServer(
  { skills }: Manifest,
  { hasRuntime, declarationsRead }: CheckedModel,
  { collector }: ReadContext,
): void {
  if (
    hasRuntime &&
    skills === undefined &&
    declarationsRead.length === 0 &&
    !hasErrors(collector.diagnostics)
  )
    collector.createReport()("server-empty", undefined, {});
}
