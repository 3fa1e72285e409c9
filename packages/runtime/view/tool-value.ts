/**
 * Reads what a tool returned from its result. A build chooses the function for each tool, so that a view contains only those
 * that it needs.
 *
 * Some hosts remove `structuredContent`, so the JSON text replaces it.
 * @module
 */
import type { ToolResult } from "@tenon/runtime/manifest";
import { createViewError } from "./view-error.js";

/** Part of a tool's definition, as the host passes it. */
export interface HostTool {
  readonly name?: string;
  readonly outputSchema?: { readonly type?: unknown; readonly required?: readonly string[] };
}

/**
 * Returns the value of a tool from its result.
 *
 * @param tool the definition, if the host passed it
 * @throws ViewError if the host passed no data
 */
export type ReadToolValue = (result: ToolResult, tool?: HostTool) => unknown;

/** Reads data that is an object. */
export function readData({ structuredContent, content }: ToolResult): unknown {
  if (structuredContent !== undefined) return structuredContent;
  try {
    return JSON.parse(readText({ content }));
  } catch {
    throw createViewError("result-unreadable", "The client passed the result without its data.");
  }
}

/** Reads data that is not an object. Revisions before 2026-07-28 carry it as `{ result: data }`, which the schema shows. */
export function readWrappedData(result: ToolResult, tool?: HostTool): unknown {
  const data = readData(result);
  if (typeof data !== "object" || data === null || !("result" in data)) return data;
  const schema = tool?.outputSchema;
  const isWrapped = schema
    ? schema.type === "object" && schema.required?.includes("result")
    : Object.keys(data).length === 1;
  return isWrapped ? data.result : data;
}

/** Reads text. */
export function readText({ content = [] }: ToolResult): string {
  return content.flatMap((each) => (each.type === "text" ? each.text : [])).join("\n");
}

/** Reads content blocks. */
export function readContent({ content }: ToolResult): unknown {
  return content;
}

/** Reads a result whose type does not show what it contains: data, text, or content blocks. */
export function readAny(result: ToolResult): unknown {
  const { structuredContent, content } = result;
  if (structuredContent !== undefined) return structuredContent;
  return content.every(({ type }) => type === "text") ? readText(result) : content;
}

/** Reads the result of a tool that returns nothing. */
export function readNothing(): undefined {}
