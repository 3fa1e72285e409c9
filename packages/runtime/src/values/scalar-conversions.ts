/**
 * Values that JSON writes as strings: parsing and writing them.
 * @module
 */

export type Direction = "fromJson" | "toJson";

/** Why a string cannot be parsed, or a value not be written. */
export class ConversionProblem {
  constructor(readonly problem: string) {}
}

/** Kinds of values that JSON writes as strings. */
export type Scalar = "date" | "url" | "bigint" | "bytes" | "regexp";

/**
 * Both directions of each kind. A value of another type (the `null` of `Date | null`) stays as it is; a string that
 * cannot be parsed, or a value that cannot be written, gives a `ConversionProblem`.
 */
export const SCALARS: Record<Scalar, Record<Direction, (value: unknown) => unknown>> = {
  date: {
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      const date = dateOf(value);
      return Number.isNaN(date.getTime()) ? new ConversionProblem("must be a date") : date;
    },
    toJson: (value) => (value instanceof Date ? dateText(value) : value),
  },
  url: {
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      return URL.canParse(value) ? new URL(value) : new ConversionProblem("must be a URL");
    },
    toJson: (value) => (value instanceof URL ? value.href : value),
  },
  bigint: {
    fromJson: (value) => {
      if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
      if (typeof value !== "string") return value;
      if (/^-?\d{1,4096}$/.test(value)) return BigInt(value);
      return new ConversionProblem("must be a whole number of at most 4096 digits");
    },
    toJson: (value) => (typeof value === "bigint" ? value.toString() : value),
  },
  bytes: {
    fromJson: (value) => (typeof value === "string" ? Buffer.from(value, "base64") : value),
    toJson: (value) => (isBytes(value) ? base64(value) : value),
  },
  regexp: {
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      try {
        return new RegExp(value, "u");
      } catch {
        return new ConversionProblem("must be a regular expression");
      }
    },
    toJson: (value) => (value instanceof RegExp ? value.source : value),
  },
};

/** Bytes in any of their JavaScript forms. */
export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

export function base64(bytes: Uint8Array | ArrayBuffer): string {
  return bytes instanceof ArrayBuffer
    ? Buffer.from(bytes).toString("base64")
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function dateText(date: Date): string | ConversionProblem {
  return Number.isNaN(date.getTime()) ? new ConversionProblem("is an invalid Date") : date.toISOString();
}

/** A leap second, which JavaScript does not know, is the second after it. */
function dateOf(text: string): Date {
  const [, start = "", rest = ""] = /^(.{16}:)60(.*)$/.exec(text) ?? [];
  return start === "" ? new Date(text) : new Date(Date.parse(`${start}59${rest}`) + 1000);
}
