import type { NumberLimits } from "../../../protocol/json-schema.js";

/** A limit of numbers and of a `bigint`. */
interface NumberLimit {
  isExceeded<Value extends number | bigint>(value: Value, limit: Value): boolean;
  /** Returns the requirement, which follows "must" in a sentence. */
  requirement(limit: number | bigint | string): string;
}

/** The limits of numbers, in the order in which they are checked. */
const LIMITS: Readonly<Record<keyof NumberLimits, NumberLimit>> = {
  maximum: {
    isExceeded: (value, limit) => value > limit,
    requirement: (limit) => `be at most ${limit}`,
  },
  minimum: {
    isExceeded: (value, limit) => value < limit,
    requirement: (limit) => `be at least ${limit}`,
  },
  exclusiveMaximum: {
    isExceeded: (value, limit) => value >= limit,
    requirement: (limit) => `be less than ${limit}`,
  },
  exclusiveMinimum: {
    isExceeded: (value, limit) => value <= limit,
    requirement: (limit) => `be more than ${limit}`,
  },
  multipleOf: {
    isExceeded: (value, limit) => !isMultiple(value, limit),
    requirement: (limit) => `be a multiple of ${limit}`,
  },
};

/** The same limits with their keywords, as a list. */
export const NUMBER_LIMITS = (Object.keys(LIMITS) as (keyof NumberLimits)[]).map((keyword) => ({
  keyword,
  ...LIMITS[keyword],
}));

function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof value === "bigint" || typeof factor === "bigint") return BigInt(value) % BigInt(factor) === 0n;
  const quotient = value / factor;
  // Like compiled validators, which differ from `Number.isInteger` for huge quotients.
  return factor !== 0 && quotient === Number.parseInt(String(quotient), 10);
}
