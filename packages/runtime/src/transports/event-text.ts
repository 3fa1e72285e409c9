/**
 * Server-sent events as text.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 * @module
 */

export interface EventFields {
  /** What a client names to get what came after this event. */
  id?: string;
  /** The kind of event; `message` when absent. */
  event?: string;
  /** How long to wait before coming back when the connection ends, in milliseconds. */
  retryMs?: number;
}

/** One event. `data` must not hold newlines. */
export function eventText(data: string, { id, event, retryMs }: EventFields = {}): string {
  let text = "";
  if (id !== undefined) text += `id: ${id}\n`;
  if (event !== undefined) text += `event: ${event}\n`;
  if (retryMs !== undefined) text += `retry: ${retryMs}\n`;
  return `${text}data: ${data}\n\n`;
}

/** A comment, which clients ignore: it shows that a connection is alive. */
export const KEEP_ALIVE = ": \n\n";
