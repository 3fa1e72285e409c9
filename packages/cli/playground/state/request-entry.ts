import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { RequestOptions, TestClient } from "@tenon/runtime/testing";
import { parseTemplate } from "url-template";
import type { Outcome } from "./calls.js";
import type { Entry } from "./entries.js";

interface EntryOptions extends RequestOptions {
  /** The members of the request's `_meta`. */
  meta: Record<string, unknown>;
}

/**
 * Calls a tool, gets a prompt, or reads a resource or the SKILL.md of a skill.
 *
 * @throws RpcError if the server responds with an error
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
    const params = { name: key, arguments: toStrings(args), _meta: meta };
    const result = await client.request("prompts/get", params, options);
    return { type: "prompt", result: result as unknown as PromptResult };
  }
  const params = { uri: toUri({ kind, key }, args), _meta: meta };
  const result = await client.request("resources/read", params, options);
  return { type: "resource", result: result as unknown as ResourceResult };
}

/** Returns the URI of a resource, or of a template with its variables. */
export function toUri({ kind, key }: Pick<Entry, "kind" | "key">, args: Record<string, unknown>): string {
  if (kind === "resource" || kind === "skill") return key;
  const lists = Object.entries(args).filter(([, value]) => Array.isArray(value));
  // An item that was added to a list and left empty is null.
  const texts = lists.map(([name, items]) => [name, (items as unknown[]).map((each) => String(each ?? ""))]);
  return parseTemplate(key).expand({ ...toStrings(args), ...Object.fromEntries(texts) });
}

/** Converts values to strings, which arguments of prompts and variables of URIs must be. */
export function toStrings(args: Record<string, unknown>): Record<string, string> {
  const defined = Object.entries(args).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, String(value)]));
}
