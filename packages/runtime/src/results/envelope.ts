import type { CacheHint } from "./cache-hints.js";
import { SERVER_INFO } from "../protocol/meta-keys.js";
import { projectImplementation } from "../protocol/projection.js";
import type { Revision } from "../protocol/revisions.js";
import { StructuredResult, TextResult } from "./tool-result.js";
import type { Implementation, Meta } from "../protocol/specification.js";

/** A result of the specification's, made of JSON alone, without what belongs to every result of a revision. */
export type Result = Readonly<Record<string, unknown>> | { readonly _meta?: Meta | undefined };

/** What a result says of itself, in revisions that ask for it. */
export type ResultType = "complete" | "input_required" | "task";

export interface Envelope {
  /** Default: `"complete"`. */
  type?: ResultType;
  /** How long clients may keep the result, in revisions that say so. */
  hint?: CacheHint;
}

/**
 * Writes a result as JSON text, with what its revision wants around it. The one place where results become text.
 *
 * @throws TypeError when a value in the result refers to itself
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export type WriteResult = (revision: Revision, result: Result, envelope?: Envelope) => string;

/** @param info the server that the results come from */
export function createResultWriter(info: Implementation): WriteResult {
  // The text of this member is the same for nearly all results: it is written once for each revision.
  const ownMetas = new Map<Revision, { value: Meta; text: string }>();
  const ownMetaOf = (revision: Revision): { value: Meta; text: string } => {
    let own = ownMetas.get(revision);
    if (own === undefined) {
      const value = { [SERVER_INFO]: projectImplementation(info, revision) };
      ownMetas.set(revision, (own = { value, text: JSON.stringify(value) }));
    }
    return own;
  };

  return (revision, result, { type = "complete", hint } = {}) => {
    if (!revision.resultTypes) return resultText(result);
    const own = ownMetaOf(revision);
    const { _meta: meta } = result as { _meta?: Meta };
    const metaText = meta === undefined ? own.text : JSON.stringify({ ...own.value, ...meta });
    const members = resultText(membersOf(result, revision.cacheHints ? hint : undefined)).slice(1, -1);
    return `{"resultType":"${type}",${members}${members && ","}"_meta":${metaText}}`;
  };
}

/**
 * What JSON.stringify gives. Most results are one text, or data and its text. Writing these by hand saves 0.2 µs of 5 µs
 * for a short text, and a quarter of what a call with ten records takes.
 */
function resultText(result: object): string {
  const isStructured = result instanceof StructuredResult;
  if (!isStructured && !(result instanceof TextResult)) return JSON.stringify(result);
  const { text } = result.content[0];
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  return isStructured ? `{${content},"structuredContent":${text}}` : `{${content}}`;
}

function membersOf(result: Result, hint: CacheHint | undefined): object {
  if (hint === undefined && result._meta === undefined) return result;
  const { _meta, ...members } = result as { _meta?: Meta };
  return { ...members, ...hint };
}
