import { countUndeclared } from "../problems/undeclared.js";
import { measureDistance } from "../problems/distance.js";
import { createScope } from "../problems/keywords/table.js";
import { fits } from "../problems/search.js";
import type { JsonSchema } from "../../protocol/json-schema.js";

/** JSON to which one alternative of a union converts a value, and the schema of that alternative. */
export interface Candidate {
  readonly when: JsonSchema;
  readonly json: unknown;
}

/**
 * Returns the candidate that fits its schema and has the fewest undeclared members. A value of `{ id: number; counts:
 * Map<string, number> }` also fits `{ id: number }`, which would leave its map unconverted.
 *
 * @param candidates read only until one has no undeclared members
 */
export function findFullest(candidates: Iterable<Candidate>): Candidate | undefined {
  let fullest: Candidate | undefined;
  let fewest = Infinity;
  for (const candidate of candidates) {
    const { when, json } = candidate;
    const scope = createScope(when);
    if (!fits(when, json, scope)) continue;
    const undeclared = when.additionalProperties === true ? 0 : countUndeclared(when, json, scope);
    if (undeclared === 0) return candidate;
    if (undeclared < fewest) [fullest, fewest] = [candidate, undeclared];
  }
  return fullest;
}

/**
 * Returns the candidate that is nearest to its schema, for a value that fits none: messages about it, and validation that
 * only logs, should not see a `Map` as a list.
 */
export function findNearest(candidates: readonly Candidate[]): Candidate | undefined {
  const distances = candidates.map(({ when, json }) => measureDistance(when, json, createScope(when)));
  return candidates[distances.indexOf(Math.min(...distances))];
}
