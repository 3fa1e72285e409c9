import type { HttpExchange } from "./exchange.js";

/** Returns whether a content type is JSON in UTF-8, ignoring case and spaces. */
export function isJsonType(type = ""): boolean {
  if (type === "application/json") return true;
  return (
    /^\s*application\/json\s*(?:;|$)/i.test(type) &&
    !/;\s*charset\b(?!\s*=\s*"?utf-?8"?\s*(?:;|$))/i.test(type)
  );
}

/** Returns whether an `Accept` header allows a media type. A missing header allows every type. */
export function accepts(accept: string | undefined, type: "application/json" | "text/event-stream"): boolean {
  if (accept === undefined || accept === "application/json, text/event-stream") return true;
  const ranges = new Set(["*/*", type, type.replace(/[^/]+$/, "*")]);
  return accept
    .toLowerCase()
    .split(",")
    .some((each) => {
      const [name = "", ...parameters] = each.split(";").map((part) => part.trim());
      return ranges.has(name) && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    });
}

/** Records which types of content the client accepts. Returns false if it accepts no response. */
export function acceptsResponse(exchange: HttpExchange): boolean {
  const accept = exchange.header("accept");
  exchange.acceptsJson = accepts(accept, "application/json");
  exchange.acceptsEvents = accepts(accept, "text/event-stream");
  return exchange.acceptsJson || exchange.acceptsEvents;
}
