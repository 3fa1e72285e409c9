import { formats } from "../validation/formats.js";

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](.+))?$/;
const TIME = /^(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(?:([Zz]|UTC|GMT)|([+-]\d{2}):?(\d{2})?)?$/;
const MIDNIGHT = /^00:00:00(?:\.0+)?Z$/;

/**
 * Rewrites a date or date-time from a model in the format that the schema requires. A date without a time becomes
 * midnight UTC, a time without a zone is read as UTC, and a date-time at midnight UTC becomes a date. Returns all other
 * text unchanged.
 *
 * @param format the `format` of the schema
 * @example
 * readDate("date-time", "2027-01-31") // "2027-01-31T00:00:00Z"
 * readDate("date-time", "2027-01-31 09:30") // "2027-01-31T09:30:00Z"
 * readDate("date", "2027-01-31T00:00:00.000Z") // "2027-01-31"
 */
export function readDate(format: string | undefined, text: string): string {
  if (format !== "date-time" && format !== "date") return text;
  if (formats[format](text)) return text;
  const [, date = "", time] = DATE.exec(text.trim()) ?? [];
  const clock = time === undefined ? "00:00:00Z" : readTime(time);
  if (clock === undefined || !formats["date-time"](`${date}T${clock}`)) return text;
  if (format === "date-time") return `${date}T${clock}`;
  return MIDNIGHT.test(clock) ? date : text;
}

/** Returns the time with seconds and a zone, or `undefined` if it cannot be read. */
function readTime(time: string): string | undefined {
  const match = TIME.exec(time);
  if (match === null) return undefined;
  const [, minutes, seconds = ":00", , hours, offsetMinutes = "00"] = match;
  return `${minutes}${seconds}${hours === undefined ? "Z" : `${hours}:${offsetMinutes}`}`;
}
