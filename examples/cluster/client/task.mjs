const META = "io.modelcontextprotocol";

/**
 * Calls a tool as a task and polls the task until it ends. The official client does not support tasks yet.
 *
 * @param {string} url @param {string} name @param {object} args @param {typeof fetch} [send]
 * @returns {Promise<{ status: string, result?: any }>}
 * @see https://modelcontextprotocol.io/extensions/tasks
 */
export async function runAsTask(url, name, args, send = fetch) {
  const { taskId, pollIntervalMs = 1000 } = await request(url, "tools/call", { name, arguments: args }, send);
  for (;;) {
    const task = await request(url, "tasks/get", { taskId }, send);
    if (task.status !== "working") return task;
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}

/**
 * Sends a request of 2026-07-28.
 *
 * @param {string} url @param {string} method @param {Record<string, any>} params @param {typeof fetch} send
 * @returns {Promise<any>} the result
 */
async function request(url, method, params, send) {
  const _meta = {
    [`${META}/protocolVersion`]: "2026-07-28",
    [`${META}/clientInfo`]: { name: "printer", version: "1.0.0" },
    [`${META}/clientCapabilities`]: { extensions: { [`${META}/tasks`]: {} } },
  };
  const response = await send(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": params["name"] ?? params["taskId"],
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(/^data: (\{.+)$/m.exec(text)?.[1] ?? text);
  if (error !== undefined) throw new Error(error.message);
  return result;
}
