/**
 * A request and what became of it.
 *
 * @typedef {object} Exchange
 * @property {string} what such as `"tools/call book"`
 * @property {number} replica by which it was served
 * @property {number} pid of that replica
 * @property {number} status
 */

/**
 * `fetch` that says of each request which replica has served it.
 *
 * @param {(exchange: Exchange) => void} onExchange
 * @returns {typeof fetch}
 */
export function traced(onExchange) {
  return async (input, init) => {
    const response = await fetch(input, init);
    const [replica = 0, pid = 0] = (response.headers.get("x-replica") ?? "").split(" ").map(Number);
    onExchange({ what: whatOf(init), replica, pid, status: response.status });
    return response;
  };
}

/** @param {RequestInit} [init] */
function whatOf({ method = "GET", headers, body } = {}) {
  if (typeof body !== "string")
    return new Headers(headers).has("last-event-id") ? "stream, resumed" : `${method} stream`;
  const { method: called = "an answer", params = {} } = JSON.parse(body);
  return [called, params.name ?? params.uri ?? params.taskId?.slice(0, 8)].filter(Boolean).join(" ");
}
