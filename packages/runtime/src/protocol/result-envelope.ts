import type { Implementation, Meta } from "./specification.js";
import { SERVER_INFO } from "./meta-keys.js";
import { projectImplementation } from "./projection.js";
import type { Revision } from "./revisions.js";

/** What a result says of itself, in revisions that ask for it. */
export type ResultType = "complete" | "input_required" | "task";

/**
 * Closes the results of one revision: what is put around their members is constant text.
 *
 * @param members The result's members as JSON text without the braces; may be empty.
 * @param meta The result's own `_meta`.
 * @returns The whole result as JSON text.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export type Seal = (members: string, meta?: Meta, type?: ResultType) => string;

/** The same for results of any revision. */
export type SealResult = (revision: Revision, ...result: Parameters<Seal>) => string;

export function createSealResult(info: Implementation): SealResult {
  const seals = new Map<Revision, Seal>();
  return (revision, ...result) => {
    let seal = seals.get(revision);
    if (seal === undefined) seals.set(revision, (seal = createSeal(revision, info)));
    return seal(...result);
  };
}

function createSeal(revision: Revision, info: Implementation): Seal {
  if (!revision.resultTypes) {
    return (members, meta) =>
      meta === undefined ? `{${members}}` : `{${members}${members && ","}"_meta":${JSON.stringify(meta)}}`;
  }
  const own = { [SERVER_INFO]: projectImplementation(info, revision) };
  const ownText = JSON.stringify(own);
  return (members, meta, type = "complete") => {
    const metaText = meta === undefined ? ownText : JSON.stringify({ ...own, ...meta });
    return `{"resultType":"${type}",${members}${members && ","}"_meta":${metaText}}`;
  };
}
