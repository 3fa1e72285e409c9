/**
 * Server-sent events as text.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @module
 */

/**
 * Returns one event as text.
 *
 * @param data text without newlines
 * @param fields whole lines before the data, such as `"id: 1\n"`
 */
export function toEventText(data: string, fields = ""): string {
  return `${fields}data: ${data}\n\n`;
}

/** A comment, which clients ignore. It shows that a connection is alive. */
export const KEEP_ALIVE = ": \n\n";

/** The interval at which idle streams and long calls send a keep-alive comment, in milliseconds. */
export const KEEP_ALIVE_INTERVAL_MS = 15_000;
