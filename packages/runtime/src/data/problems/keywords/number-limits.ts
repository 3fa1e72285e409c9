import type { NumberLimits } from "../../../protocol/json-schema.js";
import { isMultiple } from "../../validation/json-values.js";

/** A limit of numbers and of a `bigint`. */
interface NumberLimit {
  isExceeded<Value extends number | bigint>(value: Value, limit: Value): boolean;
  /** Returns the requirement, which follows "must" in a sentence. */
  formatRequirement(limit: number | bigint | string): string;
}

/** The limits of numbers, in the order in which they are checked. */
const LIMITS: Readonly<Record<keyof NumberLimits, NumberLimit>> = {
  maximum: {
    isExceeded: (value, limit) => value > limit,
    formatRequirement: (limit) => `be at most ${limit}`,
  },
  minimum: {
    isExceeded: (value, limit) => value < limit,
    formatRequirement: (limit) => `be at least ${limit}`,
  },
  exclusiveMaximum: {
    isExceeded: (value, limit) => value >= limit,
    formatRequirement: (limit) => `be less than ${limit}`,
  },
  exclusiveMinimum: {
    isExceeded: (value, limit) => value <= limit,
    formatRequirement: (limit) => `be more than ${limit}`,
  },
  multipleOf: {
    isExceeded: (value, limit) =>
      typeof value === "number" && typeof limit === "number"
        ? !isMultiple(value, limit)
        : BigInt(value) % BigInt(limit) !== 0n,
    formatRequirement: (limit) => `be a multiple of ${limit}`,
  },
};

/** The same limits with their keywords, as a list. */
export const NUMBER_LIMITS = (Object.keys(LIMITS) as (keyof NumberLimits)[]).map((keyword) => ({
  keyword,
  ...LIMITS[keyword],
}));
