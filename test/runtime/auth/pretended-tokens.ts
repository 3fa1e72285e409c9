import { oauth, type OAuth } from "@tenon/runtime/auth";
import type { HttpHandler } from "@tenon/runtime/http";
import { headersFor } from "../../support/wires.js";

export const RESOURCE = "https://mcp.example.com/mcp";
export const ISSUERS = ["https://login.example.com", "https://login.example.org"] as const;

/** Accepts every token without verification, for tests of its use. */
export function trustingAuth(): OAuth {
  return oauth({
    issuer: ISSUERS,
    resource: RESOURCE,
    verify: async (token) => JSON.parse(Buffer.from(token, "base64url").toString()) as never,
  });
}

export function pretendedToken(claims: object = {}): string {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const all = { iss: ISSUERS[0], aud: RESOURCE, sub: "ada", client_id: "app", exp, ...claims };
  return Buffer.from(JSON.stringify(all)).toString("base64url");
}

export interface Exchange {
  readonly verb?: "GET" | "POST" | "DELETE";
  readonly path?: string;
  readonly token?: string;
  readonly message?: { readonly method: string; readonly params?: object; readonly id?: number | null };
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends a message, a modern one if its parameters say so, on behalf of Ada's app unless another token is given. */
export function send(handle: HttpHandler, exchange: Exchange): Promise<Response> {
  const { verb = "POST", path = "/mcp", token = pretendedToken(), message, headers, signal } = exchange;
  const { id = 1, ...rest } = message ?? { method: "" };
  const full = { jsonrpc: "2.0" as const, ...(id !== null && { id }), ...rest };
  const all = { ...headersFor(full as never), ...headers, authorization: `Bearer ${token}` };
  const body = verb === "POST" ? JSON.stringify(full) : null;
  return handle(
    new Request(new URL(path, RESOURCE), { method: verb, headers: all, body, signal: signal ?? null }),
  );
}

/** Creates a message of 2026-07-28. */
export function modern(
  method: string,
  params: object = {},
  capabilities: object = {},
): NonNullable<Exchange["message"]> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return { method, params: { ...params, _meta } };
}

/** Opens a legacy session. @returns the header that names it */
export async function openSession(handle: HttpHandler, token?: string): Promise<Record<string, string>> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  const response = await send(handle, {
    ...(token !== undefined && { token }),
    message: { method: "initialize", params },
  });
  await response.text();
  return { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
}
