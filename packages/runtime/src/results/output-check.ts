import type { ServedTool } from "../assembly/entries.js";
import { createScope } from "../explain/keywords/table.js";
import { describeIssues } from "../explain/issues.js";
import { fits } from "../explain/search.js";
import { isObject } from "../protocol/jsonrpc.js";
import { jsonText } from "./json-text.js";
import { isContentValue } from "./tool-result.js";

/**
 * Holds a tool to its output schema, while a server is developed: what breaks the tool's own promise is a fault
 * worth hearing of.
 *
 * @param value What the handler returned.
 * @throws TypeError naming the path, what was promised and what came.
 */
export function checkOutput(tool: ServedTool, value: unknown): void {
  const { entry, toJson } = tool;
  const { output, definition } = entry;
  const schema = output.schema ?? definition.outputSchema;
  if (schema === undefined) return;
  const isContent = output.kind === "content" || (output.kind === "mixed" && isContentValue(value));
  const structured = toJson(isContent ? structuredContentOf(value) : value);
  if (isContent && structured === undefined) {
    if (isFailure(value)) return;
    throw new TypeError("The tool has an output schema, but returned no `structuredContent`.");
  }
  const json: unknown = JSON.parse(jsonText(structured));
  if (fits(schema, json, createScope(schema))) return;
  const issues = describeIssues(schema, json, "member");
  throw new TypeError(`The returned value does not fit the output schema: ${issues.join("; ")}.`);
}

function structuredContentOf(value: unknown): unknown {
  return isObject(value) && !isFailure(value) ? value.structuredContent : undefined;
}

/** A result that reports a failure promises nothing. */
function isFailure(value: unknown): boolean {
  return isObject(value) && value.isError === true;
}
