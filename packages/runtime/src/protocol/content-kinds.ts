/**
 * The kinds of content block: one row each, and everything that depends on the kind reads its row.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type { RevisionId } from "./revision-table.js";
import type { Content } from "./specification.js";

interface ContentKind<Block extends Content> {
  /** The interface under which authors import it. */
  readonly typeName: string;
  /** The first revision whose clients know it. */
  readonly since: RevisionId;
  /** The members by which a block of this kind is recognised, besides `type`. */
  readonly requires: readonly (Exclude<keyof Block, "type"> & string)[];
  /** The text that stands for a block where the client does not know its kind. */
  asText(block: Block): string;
}

/** A kind that has no row here does not compile. */
export const CONTENT_KINDS: {
  readonly [Type in Content["type"]]: ContentKind<Extract<Content, { type: Type }>>;
} = {
  text: {
    typeName: "TextContent",
    since: "2024-11-05",
    requires: ["text"],
    asText: ({ text }) => text,
  },
  image: {
    typeName: "ImageContent",
    since: "2024-11-05",
    requires: ["data", "mimeType"],
    asText: ({ mimeType }) => `[image: ${mimeType}]`,
  },
  audio: {
    typeName: "AudioContent",
    since: "2025-03-26",
    requires: ["data", "mimeType"],
    asText: ({ mimeType }) => `[audio: ${mimeType}]`,
  },
  resource: {
    typeName: "EmbeddedResource",
    since: "2024-11-05",
    requires: ["resource"],
    asText: () => "[resource]",
  },
  resource_link: {
    typeName: "ResourceLink",
    since: "2025-06-18",
    requires: ["uri", "name"],
    asText: ({ name, title = name, uri, description }) =>
      [`${title}: ${uri}`, description].filter(Boolean).join("\n"),
  },
};

/**
 * True for a value that is a content block of a known kind.
 *
 * @example
 * isContent({ type: "text", text: "Hello" }) // true
 */
export function isContent(value: unknown): value is Content {
  if (!isOfKnownKind(value)) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return CONTENT_KINDS[value.type].requires.every((name) => {
    const member = members[name];
    return (
      typeof member === "string" || (name === "resource" && typeof member === "object" && member !== null)
    );
  });
}

/** True for an object that says it is a content block, whatever else it holds. */
export function isOfKnownKind(value: unknown): value is { readonly type: Content["type"] } {
  if (typeof value !== "object" || value === null) return false;
  const { type } = value as { type?: unknown };
  return typeof type === "string" && Object.hasOwn(CONTENT_KINDS, type);
}

/** The text that stands for a block where the client does not know its kind. */
export function contentAsText<Block extends Content>(block: Block): string {
  const kind = CONTENT_KINDS[block.type] as ContentKind<Content>;
  return kind.asText(block);
}
