/**
 * The protocol revisions served, as the table of their changes makes them. Nothing else asks for a revision by name.
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
  /** The kinds of content block a client of this revision knows. */
  readonly content: readonly Content["type"][];
  /** What other revisions have and this one has not: it is not answered, and left out of what is sent. */
  readonly lacks: RevisionParts;
}

const ROWS: readonly RevisionRow[] = [FIRST_REVISION, ...LATER_REVISIONS];

/** Every revision served, newest first. */
const REVISIONS: readonly Revision[] = ROWS.map((_row, index) => revisionAt(index)).toReversed();

function revisionAt(index: number): Revision {
  const until = ROWS.slice(0, index + 1);
  const later = ROWS.slice(index + 1);
  const traits: RevisionTraits & { id: string } = Object.assign({}, FIRST_REVISION, ...until) as Revision;
  const lacking = <Part extends keyof RevisionParts>(part: Part): RevisionParts[Part][number][] => [
    ...later.toReversed().flatMap(({ adds }) => adds?.[part] ?? []),
    ...until.flatMap(({ removes }) => removes?.[part] ?? []),
  ];
  return {
    ...traits,
    content: (Object.keys(CONTENT_KINDS) as Content["type"][]).filter((kind) =>
      until.some(({ id }) => id === CONTENT_KINDS[kind].since),
    ),
    lacks: {
      methods: lacking("methods"),
      members: lacking("members"),
      implementation: lacking("implementation"),
      tool: lacking("tool"),
    },
  };
}

/**
 * The revision of that name, if it is served.
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

/** The names of the served revisions of one era, newest first. */
export function revisionIds(era: Era): string[] {
  return REVISIONS.flatMap((revision) => (revision.era === era ? revision.id : []));
}

/** The newest revision served. */
export const LATEST: Revision = newest(REVISIONS);

/** What a legacy client gets that asks for a revision not served here. */
export const LATEST_LEGACY: Revision = newest(REVISIONS.filter(({ era }) => era === "legacy"));

/** The revision of a Streamable HTTP request that names none. */
export const UNNAMED_HTTP_REVISION: Revision = newest(
  REVISIONS.filter(({ id }) => id === UNNAMED_HTTP_REVISION_ID),
);

function newest([first]: readonly Revision[]): Revision {
  if (first === undefined) throw new Error("The table of revisions has no such row.");
  return first;
}
