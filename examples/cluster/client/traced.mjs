/**
 * A request, and the replica that served it.
 *
 * @typedef {object} Exchange
 * @property {string} request such as `"tools/call book"`
 * @property {number} replica the number of the replica
 * @property {number} pid of that replica
 * @property {number} status
 */

/**
 * Returns a `fetch` that reports which replica served each request.
 *
 * @param {(exchange: Exchange) => void} onExchange
 * @returns {typeof fetch}
 */
export function createTracedFetch(onExchange) {
  return async (input, init) => {
    const response = await fetch(input, init);
    const [replica = 0, pid = 0] = (response.headers.get("x-replica") ?? "").split(" ").map(Number);
    onExchange({ request: describeRequest(init), replica, pid, status: response.status });
    return response;
  };
}

/** @param {RequestInit} [init] */
function describeRequest({ method = "GET", headers, body } = {}) {
  if (typeof body !== "string")
    return new Headers(headers).has("last-event-id") ? "stream, resumed" : `${method} stream`;
  const { method: called = "an answer", params = {} } = JSON.parse(body);
  return [called, params.name ?? params.uri ?? params.taskId?.slice(0, 8)].filter(Boolean).join(" ");
}
