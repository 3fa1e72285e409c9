/**
 * The connection between a view and the client that displays it: JSON-RPC messages to and from the parent window.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @module
 */

/** JSON object. */
export type Json = Record<string, unknown>;

/** Code of JSON-RPC for a method that does not exist. */
export const METHOD_NOT_FOUND = -32_601;

/** Error that the host responded with. */
export interface HostErrorResponse {
  readonly code: number;
  readonly message: string;
}

/** Sends a request to the host. Rejects with a `HostErrorResponse`. */
export type RequestHost = (method: string, params: Json) => Promise<Json>;

/** Sends a notification to the host. */
export type NotifyHost = (method: string, params: Json) => void;

/**
 * Connects to the host. Messages from other windows are ignored.
 *
 * @param onRequest handles a request; returns undefined for an unknown method
 */
export function connectToHost(
  onRequest: (method: string) => Json | undefined,
  onNotification: (method: string, params: Json) => void,
): [RequestHost, NotifyHost] {
  const host = window.parent;
  const pending: Record<number, (error: unknown, result: Json) => void> = {};
  let lastId = 0;
  // The origin of the host is unknown. Browsers deliver the message to the parent window alone.
  const send = (message: Json): void => host.postMessage({ jsonrpc: "2.0", ...message }, "*");

  addEventListener("message", ({ source, data }: MessageEvent<Json | undefined>) => {
    if (source !== host || data?.["jsonrpc"] !== "2.0") return;
    const { id, method, params = {}, result = {}, error } = data;
    if (typeof method !== "string") {
      pending[id as number]?.(error, result as Json);
      delete pending[id as number];
    } else if (id === undefined) {
      onNotification(method, params as Json);
    } else {
      const response = onRequest(method);
      send({
        id,
        ...(response ? { result: response } : { error: { code: METHOD_NOT_FOUND, message: method } }),
      });
    }
  });

  return [
    (method, params) =>
      new Promise((resolve, reject) => {
        pending[++lastId] = (error, result) => (error ? reject(error) : resolve(result));
        send({ id: lastId, method, params });
      }),
    (method, params) => send({ method, params }),
  ];
}
