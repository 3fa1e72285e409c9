/** What differs each time: ids, times and what only stands for something. */

/** The time in which values of a session were made. */
export interface Period {
  from: number;
  to: number;
}

/** A clock may be a little off, and a server may round. */
const SLACK_MS = 60_000;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const REFERENCE = /(?<=\breference )[0-9a-f]{8}\b/g;
const SECRET = /\(secret \d+\)/g;
/** Where a stack of an error leads. */
const POSITION = /(?<=\.[cm]?[jt]sx?):\d+:\d+/g;

/** Members of the protocol that are told to be given back, and mean nothing else. */
const OPAQUE: ReadonlySet<string> = new Set([
  "requestState",
  "nextCursor",
  "progressToken",
  "taskId",
  "subscriptionId",
  "io.modelcontextprotocol/subscriptionId",
]);

/**
 * Text with the same words for whatever differs each time.
 *
 * @example
 * withoutChanging("Booked under 0b7c9f0e-7c1f-4a35-9d0e-0c9d5d1f6a11", period) // "Booked under (uuid)"
 */
export function withoutChanging(text: string, period: Period): string {
  return text
    .replace(UUID, "(uuid)")
    .replace(TIME, (found) => (isWithin(Date.parse(found), period) ? "(time)" : found))
    .replace(REFERENCE, "(reference)")
    .replace(POSITION, "")
    .replace(SECRET, "(secret)");
}

/** A value of JSON, the same way. */
export function comparable(value: unknown, period: Period, name?: string): unknown {
  if (name !== undefined && OPAQUE.has(name) && value !== undefined) return `(${name})`;
  if (typeof value === "string") return withoutChanging(value, period);
  if (typeof value === "number") return isTimeNumber(value, period) ? "(time)" : value;
  if (Array.isArray(value)) return value.map((each) => comparable(each, period));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, comparable(each, period, member)]),
  );
}

/** Milliseconds or seconds since 1970. */
function isTimeNumber(value: number, period: Period): boolean {
  return isWithin(value, period) || isWithin(value * 1000, period);
}

function isWithin(time: number, { from, to }: Period): boolean {
  return time >= from - SLACK_MS && time <= to + SLACK_MS;
}
