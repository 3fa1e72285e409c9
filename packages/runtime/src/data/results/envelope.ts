import type { CacheHint } from "./cache-hints.js";
import { SERVER_INFO } from "../../protocol/meta-keys.js";
import { projectImplementation } from "../../protocol/projection.js";
import type { Revision } from "../../protocol/revisions.js";
import { StructuredResult, TextResult } from "./tool-result.js";
import type { Implementation, Meta } from "../../protocol/specification.js";

/** A result of the specification as JSON, without the members that every result of a revision has. */
export type Result = Readonly<Record<string, unknown>> | { readonly _meta?: Meta | undefined };

/** The `resultType` of a result, in revisions that have one. */
export type ResultType = "complete" | "input_required" | "task";

/** The members of a written result that do not come from the handler. */
export interface Envelope {
  /** Default: `"complete"`. */
  type?: ResultType;
  /** The time for which clients may keep the result, in revisions that have cache hints. */
  hint?: CacheHint;
}

/**
 * Writes a result as JSON text, with the members that its revision requires. All results are written here.
 *
 * @throws TypeError if a value in the result refers to itself
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export type WriteResult = (revision: Revision, result: Result, envelope?: Envelope) => string;

/**
 * Creates the function that writes the results of a server.
 *
 * @param info the name and version of the server, which are in the `_meta` of each result
 */
export function createResultWriter(info: Implementation): WriteResult {
  // The text of `_meta` is the same for nearly all results, so it is written once for each revision.
  const ownMetas = new Map<Revision, { value: Meta; text: string }>();
  const getOwnMeta = (revision: Revision): { value: Meta; text: string } => {
    let own = ownMetas.get(revision);
    if (own === undefined) {
      const value = { [SERVER_INFO]: projectImplementation(info, revision) };
      ownMetas.set(revision, (own = { value, text: JSON.stringify(value) }));
    }
    return own;
  };

  return (revision, result, { type = "complete", hint } = {}) => {
    if (!revision.hasResultTypes) return toResultText(result);
    const own = getOwnMeta(revision);
    const { _meta: meta } = result as { _meta?: Meta };
    const metaText = meta === undefined ? own.text : JSON.stringify({ ...own.value, ...meta });
    const members = toResultText(toMembers(result, revision.hasCacheHints ? hint : undefined)).slice(1, -1);
    return `{"resultType":"${type}",${members}${members && ","}"_meta":${metaText}}`;
  };
}

/**
 * Returns the same text as `JSON.stringify`. Most results are a single text block, or data and its JSON text. Writing
 * these directly saves 0.2 µs of 5 µs for a short text, and a quarter of the duration of a call that returns ten
 * records.
 */
function toResultText(result: object): string {
  const isStructured = result instanceof StructuredResult;
  if (!isStructured && !(result instanceof TextResult)) return JSON.stringify(result);
  const { text } = result.content[0];
  const content = `"content":[{"type":"text","text":${JSON.stringify(text)}}]`;
  return isStructured ? `{${content},"structuredContent":${text}}` : `{${content}}`;
}

function toMembers(result: Result, hint: CacheHint | undefined): object {
  if (hint === undefined && result._meta === undefined) return result;
  const { _meta, ...members } = result as { _meta?: Meta };
  return { ...members, ...hint };
}
