import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { RequestOptions, TestClient } from "@tenon/runtime/testing";
import { parseTemplate } from "url-template";
import type { Outcome } from "./calls.js";
import type { Entry } from "./entries.js";

interface EntryOptions extends RequestOptions {
  /** For `_meta`. */
  meta: Record<string, unknown>;
}

/**
 * Calls a tool, gets a prompt or reads a resource.
 *
 * @throws RpcError when the server answers with an error
 */
export async function requestEntry(
  client: TestClient,
  { kind, key }: Entry,
  args: Record<string, unknown>,
  { meta, ...options }: EntryOptions,
): Promise<Outcome | { type: "task"; created: object }> {
  if (kind === "tool") {
    const result = await client.request("tools/call", { name: key, arguments: args, _meta: meta }, options);
    if (result.resultType === "task") return { type: "task", created: result };
    return { type: "tool", result: result as unknown as ToolResult };
  }
  if (kind === "prompt") {
    const params = { name: key, arguments: texts(args), _meta: meta };
    const result = await client.request("prompts/get", params, options);
    return { type: "prompt", result: result as unknown as PromptResult };
  }
  const params = { uri: uriOf({ kind, key }, args), _meta: meta };
  const result = await client.request("resources/read", params, options);
  return { type: "resource", result: result as unknown as ResourceResult };
}

/** Of a resource, or of what a template makes of its variables. */
export function uriOf({ kind, key }: Pick<Entry, "kind" | "key">, args: Record<string, unknown>): string {
  return kind === "resource" ? key : parseTemplate(key).expand(texts(args));
}

/** Arguments of prompts and variables of URIs are texts. */
export function texts(args: Record<string, unknown>): Record<string, string> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
