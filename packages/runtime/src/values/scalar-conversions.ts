/**
 * Values that JSON writes as strings: parsing and writing them.
 * @module
 */

import type { BigintLimits, ScalarKind } from "../manifest.js";
import { readDate } from "./read-date.js";
import { base64, isBytes } from "./scalar-values.js";

export type Direction = "fromJson" | "toJson";

/** Why a string cannot be parsed, or a value not be written. */
export class ConversionProblem {
  constructor(readonly problem: string) {}
}

interface ScalarConversion<Value> {
  /** True for values of the kind. */
  is(value: unknown): value is Value;
  /** Other JSON than the kind's (the `null` of `Date | null`) stays as it is; a `ConversionProblem` for what cannot be parsed. */
  fromJson(value: unknown): unknown;
  /** The string of a value; a `ConversionProblem` for what cannot be written. */
  toJson(value: Value): string | ConversionProblem;
}

interface ScalarValues extends Record<ScalarKind, unknown> {
  date: Date;
  day: Date;
  url: URL;
  bigint: bigint;
  bytes: Uint8Array | ArrayBuffer;
  regexp: RegExp;
}

/** Moments and days are read alike: JavaScript takes a date alone for its midnight in UTC. */
const DATE: Pick<ScalarConversion<Date>, "is" | "fromJson"> = {
  is: (value) => value instanceof Date,
  fromJson: (value) => {
    if (typeof value !== "string") return value;
    const date = dateOf(readDate("date-time", value));
    return Number.isNaN(date.getTime()) ? new ConversionProblem("must be a date") : date;
  },
};

const SCALARS: { readonly [Kind in ScalarKind]: ScalarConversion<ScalarValues[Kind]> } = {
  date: { ...DATE, toJson: (value) => dateText(value) },
  day: {
    ...DATE,
    toJson: (value) => {
      const text = dateText(value);
      return typeof text === "string" ? text.slice(0, 10) : text;
    },
  },
  url: {
    is: (value) => value instanceof URL,
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      return URL.canParse(value) ? new URL(value) : new ConversionProblem("must be a URL");
    },
    toJson: uriText,
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
    toJson: base64,
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

/** Converts one value; a value of another type than the kind's stays as it is. */
export function convertScalar(
  kind: ScalarKind,
  direction: Direction,
  value: unknown,
  limits?: BigintLimits,
): unknown {
  const scalar = SCALARS[kind] as ScalarConversion<unknown>;
  const isFromJson = direction === "fromJson";
  const real = isFromJson ? scalar.fromJson(value) : value;
  const problem = limits && typeof real === "bigint" ? limitProblem(real, limits) : undefined;
  if (problem !== undefined) return new ConversionProblem(problem);
  return !isFromJson && scalar.is(real) ? scalar.toJson(real) : real;
}

function limitProblem(value: bigint, limits: BigintLimits): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limits;
  if (minimum !== undefined && value < BigInt(minimum)) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > BigInt(maximum)) return `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= BigInt(exclusiveMinimum))
    return `must be more than ${exclusiveMinimum}`;
  if (exclusiveMaximum !== undefined && value >= BigInt(exclusiveMaximum))
    return `must be less than ${exclusiveMaximum}`;
  if (multipleOf !== undefined && value % BigInt(multipleOf) !== 0n)
    return `must be a multiple of ${multipleOf}`;
  return undefined;
}

function dateText(date: Date): string | ConversionProblem {
  if (Number.isNaN(date.getTime())) return new ConversionProblem("is an invalid Date");
  const text = date.toISOString();
  return /^\d/.test(text) ? text : new ConversionProblem("is a Date outside of the years 0 to 9999");
}

/** A URL may hold what a URI, which clients are promised, has to write with percent signs, such as `|`. */
function uriText({ href, host }: URL): string {
  // The brackets of an IPv6 address stay.
  const start = host.startsWith("[") ? href.indexOf(host) + host.length : 0;
  const hash = href.indexOf("#");
  const rest = href
    .slice(start)
    .replaceAll(/%(?![\dA-Fa-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]/g, (character, offset: number) =>
      start + offset === hash ? character : encodeURIComponent(character),
    );
  return href.slice(0, start) + rest;
}

/** A leap second, which JavaScript does not know, is the second after it. */
function dateOf(text: string): Date {
  const [, start = "", rest = ""] = /^(.{16}:)60(.*)$/.exec(text) ?? [];
  return start === "" ? new Date(text) : new Date(Date.parse(`${start}59${rest}`) + 1000);
}
