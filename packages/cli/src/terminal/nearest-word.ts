// An entry of its own: the rest of the compiler takes long to load, and `tenon create` has no use for it.
import { nearest as nearestWithin } from "@tenon/compiler/nearest";

/**
 * The candidate a mistyped word was most likely meant to be, if any is close enough to suggest. Nothing follows from
 * a suggestion, so that even of a short word two letters may be wrong.
 *
 * @example
 * nearest("ad", ["add", "current"]) // "add"
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return nearestWithin(word, candidates, Math.max(2, Math.floor(word.length / 3)));
}
