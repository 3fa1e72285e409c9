import type { Implementation, Meta } from "./protocol.js";
import { projectImplementation } from "./projection.js";
import type { Revision } from "./revisions.js";

/** Cache hints of a result that clients may keep. */
export interface CacheHint {
  ttlMs: number;
  cacheScope: "public" | "private";
}

/**
 * Closes results in the way of one revision. Everything here is constant text, put around what a method made.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 */
export interface Seal {
  /**
   * @param members The result's members as JSON text without the braces; may be empty.
   * @param meta The result's own `_meta`.
   */
  result(members: string, meta?: Meta): string;
  /** The same with cache hints, where the revision has them. */
  cacheable(members: string, hint: CacheHint, meta?: Meta): string;
  /** A result that says which task will have one; modern revisions only. */
  task(members: string): string;
  /** A result that asks for answers first; modern revisions only. */
  inputRequired(members: string): string;
}

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

export function createSeal(revision: Revision, info: Implementation): Seal {
  if (revision.era === "legacy") {
    const result = (members: string, meta?: Meta): string =>
      meta === undefined ? `{${members}}` : `{${joined(members)}"_meta":${JSON.stringify(meta)}}`;
    const none = (): never => {
      throw new Error(`Revision ${revision.id} has no results of this kind.`);
    };
    return {
      result,
      cacheable: (members, _hint, meta) => result(members, meta),
      task: none,
      inputRequired: none,
    };
  }
  const serverInfo = projectImplementation(info, revision);
  const constantMeta = JSON.stringify({ [SERVER_INFO]: serverInfo });
  const metaText = (meta: Meta | undefined): string =>
    meta === undefined ? constantMeta : JSON.stringify({ [SERVER_INFO]: serverInfo, ...meta });
  return {
    result: (members, meta) => `{"resultType":"complete",${joined(members)}"_meta":${metaText(meta)}}`,
    cacheable: (members, hint, meta) =>
      `{"resultType":"complete",${joined(members)}"ttlMs":${hint.ttlMs},"cacheScope":"${hint.cacheScope}",` +
      `"_meta":${metaText(meta)}}`,
    task: (members) => `{"resultType":"task",${joined(members)}"_meta":${constantMeta}}`,
    inputRequired: (members) => `{"resultType":"input_required",${joined(members)}"_meta":${constantMeta}}`,
  };
}

function joined(members: string): string {
  return members === "" ? "" : `${members},`;
}
