import { findExceededBound } from "../../protocol/jsonrpc.js";

/** Limits on JSON inside strings. `maxValues` applies to all strings of one message together. */
export const TEXT_BOUNDS = { maxDepth: 64, maxValues: 100_000 };

/** Returns the object or list that a string contains as JSON; `undefined` for all other values. */
export function parseContainer(value: unknown): object | undefined {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  try {
    const container = JSON.parse(value) as object;
    return findExceededBound(container, TEXT_BOUNDS) === undefined ? container : undefined;
  } catch {
    return undefined;
  }
}
