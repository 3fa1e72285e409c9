/**
 * Parsing and writing of values that JSON represents as strings.
 * @module
 */

import type { BigintLimits, ScalarKind } from "../../manifest.js";
import { NUMBER_LIMITS } from "../problems/keywords/number-limits.js";
import { readDate } from "./read-date.js";
import { encodeBase64, isBytes } from "./scalar-values.js";
import { parseUrl } from "../../protocol/parse-url.js";

export type Direction = "fromJson" | "toJson";

/** Reason why a string cannot be parsed or a value cannot be written. */
export class ConversionProblem {
  constructor(readonly problem: string) {}
}

interface ScalarConversion<Value> {
  /** Returns whether a value is of this kind. */
  is(value: unknown): value is Value;
  /**
   * Parses a string. Returns other JSON unchanged, such as the `null` of `Date | null`, and a `ConversionProblem` for
   * a string that cannot be parsed.
   */
  fromJson(value: unknown): unknown;
  /** Returns the value as a string, or a `ConversionProblem` if it cannot be written. */
  toJson(value: Value): string | ConversionProblem;
}

/** The kinds that this module converts. Only servers with files contain the code that reads them. */
type TextKind = Exclude<ScalarKind, "file">;

interface ScalarValues extends Record<TextKind, unknown> {
  date: Date;
  day: Date;
  url: URL;
  bigint: bigint;
  bytes: Uint8Array | ArrayBuffer;
  regexp: RegExp;
}

/** Parser for date-times and dates. JavaScript reads a date without a time as midnight UTC. */
const DATE: Pick<ScalarConversion<Date>, "is" | "fromJson"> = {
  is: (value) => value instanceof Date,
  fromJson: (value) => {
    if (typeof value !== "string") return value;
    const date = toDate(readDate("date-time", value));
    return Number.isNaN(date.getTime()) ? new ConversionProblem("must be a date") : date;
  },
};

const SCALARS: { readonly [Kind in TextKind]: ScalarConversion<ScalarValues[Kind]> } = {
  date: { ...DATE, toJson: (value) => toDateText(value) },
  day: {
    ...DATE,
    toJson: (value) => {
      const text = toDateText(value);
      return typeof text === "string" ? text.slice(0, 10) : text;
    },
  },
  url: {
    is: (value) => value instanceof URL,
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      return parseUrl(value) ?? new ConversionProblem("must be a URL");
    },
    toJson: toUriText,
  },
  bigint: {
    is: (value) => typeof value === "bigint",
    fromJson: (value) => {
      if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
      if (typeof value !== "string") return value;
      if (/^-?\d{1,4096}$/.test(value)) return BigInt(value);
      return new ConversionProblem("must be a whole number of at most 4096 digits");
    },
    toJson: (value) => value.toString(),
  },
  bytes: {
    is: isBytes,
    fromJson: (value) => (typeof value === "string" ? Buffer.from(value, "base64") : value),
    toJson: encodeBase64,
  },
  regexp: {
    is: (value) => value instanceof RegExp,
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      try {
        return new RegExp(value, "u");
      } catch {
        return new ConversionProblem("must be a regular expression");
      }
    },
    toJson: (value) => value.source,
  },
};

/** Converts one value. Returns a value of another type unchanged. */
export function convertScalar(
  kind: TextKind,
  direction: Direction,
  value: unknown,
  limits?: BigintLimits,
): unknown {
  const scalar = SCALARS[kind] as ScalarConversion<unknown>;
  const isFromJson = direction === "fromJson";
  const parsed = isFromJson ? scalar.fromJson(value) : value;
  const problem = limits && typeof parsed === "bigint" ? findLimitProblem(parsed, limits) : undefined;
  if (problem !== undefined) return new ConversionProblem(problem);
  return !isFromJson && scalar.is(parsed) ? scalar.toJson(parsed) : parsed;
}

function findLimitProblem(value: bigint, limits: BigintLimits): string | undefined {
  const exceeded = NUMBER_LIMITS.find(({ keyword, isExceeded }) => {
    const limit = limits[keyword];
    return limit !== undefined && isExceeded(value, BigInt(limit));
  });
  return exceeded && `must ${exceeded.formatRequirement(limits[exceeded.keyword] ?? "")}`;
}

function toDateText(date: Date): string | ConversionProblem {
  if (Number.isNaN(date.getTime())) return new ConversionProblem("is an invalid Date");
  const text = date.toISOString();
  return /^\d/.test(text) ? text : new ConversionProblem("is a Date outside the years 0 to 9999");
}

/**
 * Returns a URL as a URI, which clients expect. Percent-encodes characters that only a URL may contain, such as `|`.
 */
function toUriText({ href, host }: URL): string {
  // The brackets of an IPv6 address are not encoded.
  const start = host.startsWith("[") ? href.indexOf(host) + host.length : 0;
  const hash = href.indexOf("#");
  const rest = href
    .slice(start)
    .replaceAll(/%(?![\dA-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, (character, offset: number) =>
      start + offset === hash ? character : encodeURIComponent(character),
    );
  return href.slice(0, start) + rest;
}

/** Parses a date-time. JavaScript has no leap seconds, so a leap second becomes the second after it. */
function toDate(text: string): Date {
  const [, start = "", rest = ""] = /^(.{16}:)60(.*)$/.exec(text) ?? [];
  return start === "" ? new Date(text) : new Date(Date.parse(`${start}59${rest}`) + 1000);
}
