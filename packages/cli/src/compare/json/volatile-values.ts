import { escapeRegExp } from "../../terminal/text-format.js";

/** The period of a session, in milliseconds since 1970. Times within it are volatile. */
export interface Period {
  from: number;
  to: number;
}

/** Tolerance for clock differences and rounding. */
const SLACK_MS = 60_000;

const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/gi;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const REFERENCE = /(?<=\breference )[0-9a-f]{8}\b/g;
const SECRET = /\(secret \d+\)/g;
/** Matches source locations in stack traces. */
const POSITION = /(?<=\.[cm]?[jt]sx?):\d+:\d+/g;

/** Opaque members of the protocol, which clients send back unchanged. */
const OPAQUE: ReadonlySet<string> = new Set([
  "requestState",
  "nextCursor",
  "progressToken",
  "taskId",
  "subscriptionId",
  "io.modelcontextprotocol/subscriptionId",
]);

/**
 * Replaces values that differ in every run with placeholders: IDs, times, source locations, and masked secrets.
 *
 * @example
 * replaceVolatile("Booked under 0b7c9f0e-7c1f-4a35-9d0e-0c9d5d1f6a11", period) // "Booked under (uuid)"
 */
export function replaceVolatile(text: string, period: Period): string {
  return text
    .replace(UUID, "(uuid)")
    .replace(TIME, (found) => (isWithin(Date.parse(found), period) ? "(time)" : found))
    .replace(REFERENCE, "(reference)")
    .replace(POSITION, "")
    .replace(SECRET, "(secret)");
}

/**
 * Returns whether a string of a recording could equal a string of a replay if its secrets were not masked.
 *
 * @example
 * mayBeMasked("It is (secret).", "It is open.") // true
 */
export function mayBeMasked(recorded: unknown, replayed: unknown): boolean {
  if (typeof recorded !== "string" || (typeof replayed !== "string" && typeof replayed !== "number"))
    return false;
  const parts = recorded.split("(secret)");
  if (parts.length === 1) return false;
  return new RegExp(`^${parts.map(escapeRegExp).join("[^\\n]{1,200}?")}$`).test(String(replayed));
}

/** Returns whether a member of this name is opaque: the protocol generates its value, which differs in every run. */
export function isOpaqueMember(name: string | undefined): boolean {
  return name !== undefined && OPAQUE.has(name);
}

/** Replaces volatile values and opaque members in a JSON value, so that two runs can be compared. */
export function toComparable(value: unknown, period: Period, name?: string): unknown {
  if (isOpaqueMember(name) && value !== undefined) return `(${name})`;
  if (typeof value === "string") return replaceVolatile(value, period);
  if (typeof value === "number") return isTimeNumber(value, period) ? "(time)" : value;
  if (Array.isArray(value)) return value.map((each) => toComparable(each, period));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, each]) => [member, toComparable(each, period, member)]),
  );
}

/** Returns whether a number is a time in the period, in milliseconds or seconds since 1970. */
function isTimeNumber(value: number, period: Period): boolean {
  return isWithin(value, period) || isWithin(value * 1000, period);
}

function isWithin(time: number, { from, to }: Period): boolean {
  return time >= from - SLACK_MS && time <= to + SLACK_MS;
}
