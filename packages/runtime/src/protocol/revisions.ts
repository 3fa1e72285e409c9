/**
 * Supported protocol revisions, built from the table of their changes. No other code checks for a revision by name.
 *
 * @see https://modelcontextprotocol.io/specification/versioning
 * @module
 */
import { CONTENT_KINDS } from "./content-kinds.js";
import {
  type Era,
  FIRST_REVISION,
  LATER_REVISIONS,
  type RevisionParts,
  type RevisionRow,
  type RevisionTraits,
  UNNAMED_HTTP_REVISION_ID,
} from "./revision-table.js";
import type { Content } from "./specification.js";

export type { Era } from "./revision-table.js";

export interface Revision extends RevisionTraits {
  /** As it appears on the wire, such as `"2025-11-25"`. */
  readonly id: string;
  /** Kinds of content block that a client of this revision knows. */
  readonly content: readonly Content["type"][];
  /** Parts of other revisions that this one lacks. The server does not support such methods, and omits such members. */
  readonly lacks: RevisionParts;
}

const ROWS: readonly RevisionRow[] = [FIRST_REVISION, ...LATER_REVISIONS];

/** All supported revisions, newest first. */
const REVISIONS: readonly Revision[] = ROWS.map((_row, index) => createRevision(index)).toReversed();

function createRevision(index: number): Revision {
  const until = ROWS.slice(0, index + 1);
  const later = ROWS.slice(index + 1);
  const traits: RevisionTraits & { id: string } = Object.assign({}, FIRST_REVISION, ...until) as Revision;
  const findLacking = <Part extends keyof RevisionParts>(part: Part): RevisionParts[Part][number][] => [
    ...later.toReversed().flatMap(({ adds }) => adds?.[part] ?? []),
    ...until.flatMap(({ removes }) => removes?.[part] ?? []),
  ];
  return {
    ...traits,
    content: (Object.keys(CONTENT_KINDS) as Content["type"][]).filter((kind) =>
      until.some(({ id }) => id === CONTENT_KINDS[kind].since),
    ),
    lacks: {
      methods: findLacking("methods"),
      members: findLacking("members"),
      implementation: findLacking("implementation"),
      tool: findLacking("tool"),
    },
  };
}

/**
 * Finds a supported revision by its name, in one era if `era` is given.
 *
 * @example
 * findRevision("2025-11-25", "modern") // undefined
 */
export function findRevision(id: string, era?: Era): Revision | undefined {
  for (const revision of REVISIONS) {
    if (revision.id === id && (era === undefined || revision.era === era)) return revision;
  }
  return undefined;
}

/**
 * Returns the names of the supported revisions, newest first.
 *
 * @param era limits the result to this era
 */
export function listRevisionIds(era?: Era): string[] {
  return REVISIONS.flatMap((revision) => (era === undefined || revision.era === era ? revision.id : []));
}

/** Newest supported revision. */
export const LATEST: Revision = getFirst(REVISIONS);

/** Revision for a legacy client that requests an unsupported one. */
export const LATEST_LEGACY: Revision = getFirst(REVISIONS.filter(({ era }) => era === "legacy"));

/** The revision of a Streamable HTTP request that names none. */
export const UNNAMED_HTTP_REVISION: Revision = getFirst(
  REVISIONS.filter(({ id }) => id === UNNAMED_HTTP_REVISION_ID),
);

function getFirst([first]: readonly Revision[]): Revision {
  if (first === undefined) throw new Error("The table of revisions has no such row.");
  return first;
}
