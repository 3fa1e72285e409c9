/**
 * The formats that a schema may have, as predicates. Each takes time linear in the length of the text: no regular
 * expression can backtrack.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#name-defined-formats
 * @module
 */
import type { CheckedFormat } from "../../manifest.js";
import { parseUrl } from "../../protocol/parse-url.js";
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const ATOM = /^[\w.!#$%&'*+/=?^`{|}~-]+$/;
const DURATION_DATE = /^(?:\d+Y)?(?:\d+M)?(?:\d+D)?$/;
const DURATION_TIME = /^(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?$/;
const BASE64 = /^[A-Za-z0-9+/]*$/;
const POINTER_TOKEN = /^(?:[^~]|~[01])*$/;

/** Days of each month in a leap year, from January. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** All formats that a running server checks. */
export const formats: Record<CheckedFormat, (text: string) => boolean> = {
  "date-time": isDateTime,
  date: isDate,
  time: isTime,
  duration: isDuration,
  email: isEmail,
  "idn-email": isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  "uri-reference": isUriReference,
  "uri-template": isUriTemplateText,
  url: isUri,
  iri: isIri,
  "iri-reference": isIriReference,
  uuid: (text) => UUID.test(text),
  regex: isRegex,
  "json-pointer": isJsonPointer,
  byte: isBase64,
  base64: isBase64,
};

function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const days = MONTH_DAYS[month - 1];
  if (days === undefined || day < 1 || day > days) return false;
  return month !== 2 || day < 29 || isLeapYear(year);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  // Leap seconds end the last minute of a day in UTC.
  const ahead = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - ahead - 1439) % 1440 === 0;
}

function isDateTime(text: string): boolean {
  const separator = text.charAt(10);
  if (separator !== "T" && separator !== "t" && separator !== " ") return false;
  return isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isDuration(text: string): boolean {
  if (!text.startsWith("P") || text.length < 3) return false;
  const body = text.slice(1);
  if (/^\d+W$/.test(body)) return true;
  const [date, time, ...more] = body.split("T");
  if (date === undefined || more.length > 0 || !DURATION_DATE.test(date)) return false;
  return time === undefined || (time !== "" && DURATION_TIME.test(time));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || local.length > 64 || domain.length > 255) return false;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return false;
  return isLocalPart(local) && isMailDomain(domain);
}

/** Returns whether a string is the local part of an address. Since RFC 6531, it may have non-ASCII letters. */
function isLocalPart(local: string): boolean {
  return Array.from(local).every((character) => character > "\u007F" || ATOM.test(character));
}

function isMailDomain(domain: string): boolean {
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1);
    return isIpv4(address) || isIpv6(address.replace(/^IPv6:/i, ""));
  }
  if (!domain.includes(".") && domain.toLowerCase() !== "localhost") return false;
  return domain.split(".").every((label) => LABEL.test(label) || isInternationalLabel(label));
}

function isInternationalLabel(label: string): boolean {
  return (
    label.length < 64 && !/[\s@]/.test(label) && Array.from(label).some((character) => character > "\u007F")
  );
}

function isHostname(text: string): boolean {
  if (text.length === 0 || text.length > 253) return false;
  return text.split(".").every((label) => LABEL.test(label));
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const mapped = last?.includes(".") === true;
  if (mapped && (!isIpv4(last) || text.endsWith(":"))) return false;
  const plain = mapped ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false;
  const size = plain.length + (mapped ? 2 : 0);
  return halves.length === 2 ? size < 8 : size === 8;
}

function isUri(text: string): boolean {
  // Only characters other than these need `parseUrl`, which is slower.
  return hasOnlyUriCharacters(text) && isAbsolute(text) && URL.canParse(text);
}

function isIri(text: string): boolean {
  return !/[\s<>"{}|\\^`]/.test(text) && isAbsolute(text) && parseUrl(text) !== undefined;
}

function isUriReference(text: string): boolean {
  return hasOnlyUriCharacters(text) && URL.canParse(text, "http://base.invalid/");
}

function isIriReference(text: string): boolean {
  return !/[\s<>"{}|\\^`]/.test(text) && parseUrl(text, "http://base.invalid/") !== undefined;
}

function isAbsolute(text: string): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && colon < text.length - 1 && SCHEME.test(text.slice(0, colon));
}

function hasOnlyUriCharacters(text: string): boolean {
  return /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/.test(text) && !/%(?![0-9a-f]{2})/i.test(text);
}

function isUriTemplateText(text: string): boolean {
  return text.split("{").every((piece, index) => {
    const close = piece.indexOf("}");
    return index === 0 ? close < 0 : close > 0 && !piece.slice(close + 1).includes("}");
  });
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isJsonPointer(text: string): boolean {
  return text === "" || (text.startsWith("/") && POINTER_TOKEN.test(text));
}

function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return BASE64.test(padding === 0 ? text : text.slice(0, -padding));
}
