import type { PageEvent, PageRequest } from "../../src/playground/page-messages.js";

type WithoutPage<Request> = Request extends unknown ? Omit<Request, "page"> : never;

/** The connection to `tenon dev`, through which the page reaches the MCP server. */
export interface Link {
  /** Sends requests in order, one at a time. */
  send(request: WithoutPage<PageRequest>): void;
}

/**
 * Connects to `tenon dev`, and reconnects whenever the connection is lost.
 *
 * @param onEvent receives events, or `undefined` when `tenon dev` is unreachable
 */
export function openLink(onEvent: (event: PageEvent | undefined) => void): Link {
  let page = "";
  let sent: Promise<unknown> = Promise.resolve();
  const queue: (PageEvent | undefined)[] = [];
  // A server may send thousands of messages at a time, so events are handled in batches.
  const enqueue = (event: PageEvent | undefined): void => {
    if (queue.push(event) > 1) return;
    setTimeout(() => {
      for (const each of queue.splice(0)) onEvent(each);
    });
  };
  const events = new EventSource("events");
  events.addEventListener("message", ({ data }: { data: unknown }) => {
    const event = JSON.parse(String(data)) as PageEvent;
    if (event.type === "welcome") page = event.page;
    enqueue(event);
  });
  events.addEventListener("error", () => enqueue(undefined));
  return {
    send(request) {
      const body = JSON.stringify({ page, ...request });
      const post = (): Promise<unknown> =>
        fetch("requests", { method: "POST", headers: { "content-type": "application/json" }, body });
      sent = sent.then(post).catch(() => undefined);
    },
  };
}
