import type { PageEvent, PageRequest } from "../../src/playground/page-messages.js";

type WithoutPage<Request> = Request extends unknown ? Omit<Request, "page"> : never;

/** The way to `tenon dev`, by which the page reaches the MCP server. */
export interface Link {
  /** Sends in order, one after the other. */
  send(request: WithoutPage<PageRequest>): void;
}

/**
 * @param onEvent takes what comes; `undefined` when `tenon dev` cannot be reached, which is tried again until it can
 */
export function openLink(onEvent: (event: PageEvent | undefined) => void): Link {
  let page = "";
  let sent: Promise<unknown> = Promise.resolve();
  const arrived: (PageEvent | undefined)[] = [];
  // A server may send thousands of messages in a moment: what came together is shown together.
  const take = (event: PageEvent | undefined): void => {
    if (arrived.push(event) > 1) return;
    setTimeout(() => {
      for (const each of arrived.splice(0)) onEvent(each);
    });
  };
  const events = new EventSource("events");
  events.addEventListener("message", ({ data }: { data: unknown }) => {
    const event = JSON.parse(String(data)) as PageEvent;
    if (event.type === "welcome") page = event.page;
    take(event);
  });
  events.addEventListener("error", () => take(undefined));
  return {
    send(request) {
      const body = JSON.stringify({ page, ...request });
      const post = (): Promise<unknown> =>
        fetch("requests", { method: "POST", headers: { "content-type": "application/json" }, body });
      sent = sent.then(post).catch(() => undefined);
    },
  };
}
