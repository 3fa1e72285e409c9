/** @import { Note, Opening } from "./recorder.mjs" */

/**
 * Wraps a function from request to response so that both are recorded. The response is recorded as it is read, and
 * nothing is read ahead, so that the server buffers the same amount.
 *
 * @template {((request: Request, ...platform: any[]) => Promise<Response>) & { close(): Promise<void> }} Handler
 * @param {Handler} handler
 * @param {(opening: Omit<Opening, "program">) => Note} open
 * @returns {Handler}
 */
export function tapWebHandler(handler, open) {
  const handle = async (/** @type {Request} */ request, /** @type {any[]} */ ...platform) => {
    const version = request.headers.get("mcp-protocol-version");
    const session = request.headers.get("mcp-session-id");
    const note = open({
      way: "web",
      verb: request.method,
      url: request.url,
      ...(version === null ? {} : { version }),
      ...(session === null ? {} : { session }),
    });
    return tapResponse(await handler(tapRequest(request, note), ...platform), note);
  };
  return Object.assign(handle, { close: () => handler.close() }, /** @type {any} */ ({}));
}

/** @param {Request} request @param {Note} note */
function tapRequest(request, note) {
  const { body } = request;
  // A body that was read elsewhere stays as it is.
  if (body === null || body.locked || request.bodyUsed) return request;
  return Object.defineProperty(request, "body", { value: tapBody(body, note, "in") });
}

/** @param {Response} response @param {Note} note */
function tapResponse(response, note) {
  const { status, headers, body } = response;
  const [type, session] = [headers.get("content-type"), headers.get("mcp-session-id")];
  note({ head: { status, ...(type === null ? {} : { type }), ...(session === null ? {} : { session }) } });
  if (body === null) {
    note({ end: true });
    return response;
  }
  return new Response(tapBody(body, note, "out"), { status, headers });
}

/** @param {ReadableStream<Uint8Array>} body @param {Note} note @param {"in" | "out"} direction */
function tapBody(body, note, direction) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          if (direction === "out") note({ end: true });
          controller.close();
          return;
        }
        const text = decoder.decode(value, { stream: true });
        note(direction === "in" ? { in: text } : { out: text });
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
