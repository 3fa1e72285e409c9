/**
 * Kinds of content block. Each kind has one row, and everything that depends on the kind reads that row.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import type { RevisionId } from "./revision-table.js";
import type { Content } from "./specification.js";

interface ContentKind<Block extends Content> {
  /** The interface under which authors import it. */
  readonly typeName: string;
  /** First revision whose clients know it. */
  readonly since: RevisionId;
  /** Members that a block of this kind must have in addition to `type`. */
  readonly requires: readonly (Exclude<keyof Block, "type"> & string)[];
  /** Returns the text that replaces a block for clients that do not know its kind. */
  asText(block: Block): string;
}

/** All content kinds. A missing kind is a compile error. */
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
 * Returns whether a value is a content block of a known kind.
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

/** Returns whether a value is an object whose `type` is a known kind. */
export function isOfKnownKind(value: unknown): value is { readonly type: Content["type"] } {
  if (typeof value !== "object" || value === null) return false;
  const { type } = value as { type?: unknown };
  return typeof type === "string" && Object.hasOwn(CONTENT_KINDS, type);
}

/** Returns the text that replaces a block for clients that do not know its kind. */
export function toFallbackText<Block extends Content>(block: Block): string {
  const kind = CONTENT_KINDS[block.type] as ContentKind<Content>;
  return kind.asText(block);
}
