import { mutate, split, toBytes } from "./generate/bytes.mjs";
import { HttpGrammar } from "./generate/http.mjs";
import { Grammar, LEGACY } from "./generate/messages.mjs";
import { Random } from "./generate/random.mjs";

/**
 * @import { Surface } from "./generate/messages.mjs"
 * @import { HttpRequest } from "./generate/http.mjs"
 * @import { Subject } from "./drive/subjects.mjs"
 */

/**
 * One transmission: bytes over stdio, in pieces, or a request over HTTP.
 *
 * @typedef {{ pieces: string[] } | { request: HttpRequest }} Case
 * @typedef {"stdio" | "http"} Way
 */

/**
 * Creates the case with a number, which is the same each time.
 *
 * @param {object} given
 * @param {Way} given.way
 * @param {number} given.seed
 * @param {number} given.index
 * @param {Surface} given.surface
 * @param {Subject} given.subject
 * @returns {Case}
 */
export function createCase({ way, seed, index, surface, subject }) {
  const random = new Random(seed).fork(index);
  const grammar = new Grammar(surface, random, `f${index}-`);
  if (way === "http") return { request: new HttpGrammar(grammar, random, subject.keys).request() };
  const bytes = toBytes(Array.from({ length: 1 + random.below(3) }, () => grammar.text()).join("\n"));
  return { pieces: split(random.chance(0.25) ? mutate(bytes, random) : bytes, random) };
}

/** Returns the revision that the session of a round negotiates; it differs from round to round. @param {number} round */
export function chooseRevision(round) {
  return [...LEGACY.toReversed(), undefined][round % (LEGACY.length + 1)];
}
