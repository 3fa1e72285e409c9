import type { Manifest } from "@tenon/runtime/manifest";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ConfigDeclaration } from "../model.js";
import { findConfigOption } from "../read/config-option.js";
import type { ts } from "../typescript/typescript.js";

/** The names of the tools that clients see in search mode. */
const OWN_TOOLS = ["search_tools", "call_tool"];

/** Reports tools that the search mode would hide, and names in `always` that no tool has. */
export function checkToolSearch(
  config: ConfigDeclaration | undefined,
  { tools, toolSearch }: Pick<Manifest, "tools" | "toolSearch">,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  if (toolSearch === undefined || config === undefined) return;
  const at = config.argument && findConfigOption(config.argument, "toolSearch", checker);
  const names = tools.map(({ definition }) => definition.name);
  const report = collector.reporter();
  for (const name of OWN_TOOLS.filter((each) => names.includes(each)))
    report("tool-search-name-taken", at, { name });
  for (const name of toolSearch.always?.filter((each) => !names.includes(each)) ?? [])
    report("tool-search-unknown", at, { name, names });
}
