/**
 * Creates a `fetch` for a careful client. The official ones wait for their timeout when a stream breaks that they
 * cannot resume; this one reports it at once. They also send an answer or a notification once, even if it is not
 * accepted; this one sends it until it is accepted.
 *
 * @param {() => void} onLost Called when a stream breaks that cannot be resumed.
 * @returns {typeof fetch}
 */
export function honestFetch(onLost) {
  return async (input, init) => {
    const { body } = init ?? {};
    const isRequest = typeof body !== "string" || /"method":.*"id":|"id":.*"method":/.test(body);
    for (let tries = 1; ; tries++) {
      try {
        const response = await fetch(input, init);
        if (!isRequest && response.status >= 500 && tries < MAX_TRIES) await response.body?.cancel();
        else return watchResponse(response, init, onLost);
      } catch (error) {
        if (isRequest || tries >= MAX_TRIES || init?.signal?.aborted === true) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
}

const MAX_TRIES = 100;
const PAUSE_MS = 50;

/** @param {Response} response @param {RequestInit | undefined} init @param {() => void} onLost */
function watchResponse(response, init, onLost) {
  const { body, status, headers } = response;
  const isEvents = headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (body === null || !isEvents || init?.method !== "POST") return response;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let hasPlace = false;
  const relayed = new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        hasPlace ||= /^id:/m.test(decoder.decode(value, { stream: true }));
        controller.enqueue(value);
      } catch (error) {
        if (!hasPlace && init.signal?.aborted !== true) onLost();
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(relayed, { status, headers });
}
