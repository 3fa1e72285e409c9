/**
 * Server-sent events as text.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @module
 */

/**
 * One event.
 *
 * @param data Must not hold newlines.
 * @param fields What comes before: whole lines, such as `"id: 1\n"`.
 */
export function eventText(data: string, fields = ""): string {
  return `${fields}data: ${data}\n\n`;
}

/** A comment, which clients ignore: it shows that a connection is alive. */
export const KEEP_ALIVE = ": \n\n";

/** Silence after which a stream or a long call is shown to be alive, in milliseconds. */
export const KEEP_ALIVE_MS = 15_000;
