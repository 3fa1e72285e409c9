import { setTimeout as wait } from "node:timers/promises";

const REVISION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {
    elicitation: { form: {} },
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

const INTERNAL_ERROR = -32603;

/** An error with the message that the server sent. */
export class RejectedError extends Error {
  /** @param {number} status @param {string} message @param {number} [code] The code of the JSON-RPC error. */
  constructor(status, message, code) {
    super(message);
    // In a stream, an internal error has no status of its own.
    this.isInternal = status >= 500 || code === INTERNAL_ERROR;
  }
}

/**
 * Sends a request of 2026-07-28, since no official client supports tasks yet.
 *
 * @param {URL} url @param {string} method @param {Record<string, unknown>} params
 * @param {{ signal?: AbortSignal, headers?: Record<string, string> }} [options]
 * @returns {Promise<any>} The result.
 * @throws RejectedError
 */
export async function request(url, method, params, { signal, headers } = {}) {
  const name = params["name"] ?? params["taskId"];
  const response = await fetch(url, {
    method: "POST",
    signal: signal ?? null,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": REVISION,
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
  });
  const text = await response.text();
  const json = text.startsWith("{") ? text : /^data: (\{.*)$/m.exec(text)?.[1];
  if (json === undefined) throw new RejectedError(response.status, text);
  const { result, error } = JSON.parse(json);
  if (error !== undefined) throw new RejectedError(response.status, error.message, error.code);
  return result;
}

/** The polling interval of a task. */
const POLL_MS = 100;

/**
 * Polls a task until it ends, and answers its questions. A request without a response is repeated.
 *
 * @param {URL} url @param {string} taskId
 * @param {AbortSignal} signal
 * @returns {Promise<any>} The task.
 * @throws RejectedError when no replica knows the task
 */
export async function follow(url, taskId, signal) {
  for (;;) {
    try {
      const task = await request(url, "tasks/get", { taskId }, { signal });
      if (["completed", "failed", "cancelled"].includes(task.status)) return task;
      if (task.status === "input_required") {
        const keys = Object.keys(task.inputRequests);
        const answer = { action: "accept", content: { person: "Ada" } };
        const inputResponses = Object.fromEntries(keys.map((key) => [key, answer]));
        await request(url, "tasks/update", { taskId, inputResponses }, { signal });
      }
    } catch (error) {
      const isAnswered = error instanceof RejectedError && !error.isInternal;
      if (signal.aborted || isAnswered) throw error;
    }
    await wait(POLL_MS, undefined, { signal });
  }
}
