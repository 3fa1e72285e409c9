import type {
  Annotations,
  HandlerParameter,
  HandlerRef,
  Icon,
  Meta,
  ToolAnnotations,
} from "@tenon/runtime/manifest";
import type { PlainOptions } from "../declared-options.js";
import type { Declaration } from "../model.js";
import { completeHints } from "../tool-hints.js";
import type { DerivationCache } from "../schema/derivation/derivation-cache.js";
import type { ts } from "../typescript/typescript.js";
import type { CommentCache } from "../jsdoc/comment-cache.js";
import type { TypeSyntax } from "../syntax/type-syntax.js";

/** Members of every definition, in the order of the specification. */
export interface Described {
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: Meta;
}

/**
 * Describes a declaration. The options `title` and `description` replace `@title` and the JSDoc text, but not the notice of
 * `@deprecated`.
 *
 * @param nodes nodes with comments, nearest first
 */
export function describeDeclaration(
  options: PlainOptions,
  nodes: readonly ts.Node[],
  { comments, types }: Pick<DerivationCache, "comments" | "types">,
): Described {
  const {
    title = findTagText(nodes, "title", comments),
    description: text = findDocumentation(nodes, types),
    icons,
  } = options;
  const description = [text, describeDeprecation(nodes, comments)].filter(Boolean).join("\n\n");
  return {
    ...(title !== undefined && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
  };
}

/** The greatest limit that Claude Code accepts, in characters. */
const MAX_ANNOUNCED_CHARACTERS = 500_000;

/**
 * Returns the `_meta` of a definition. If it contains a maximum length, Claude Code reads results of the tool up to that
 * length instead of 25,000 tokens.
 */
export function toMeta({ meta, maxResultChars }: PlainOptions): { _meta?: Meta } {
  const size = maxResultChars && {
    "anthropic/maxResultSizeChars": Math.min(maxResultChars, MAX_ANNOUNCED_CHARACTERS),
  };
  return meta || size ? { _meta: { ...size, ...meta } } : {};
}

/** Converts options such as `readOnly` to the specification's hints. */
export function toToolAnnotations(options: PlainOptions): { annotations?: ToolAnnotations } {
  const { readOnly, destructive, idempotent, openWorld } = options;
  const annotations = completeHints({
    readOnlyHint: readOnly,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  });
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}

/**
 * Returns the members of a definition that only resources have.
 *
 * @param documentedType the media type in the JSDoc
 */
export function getResourceMembers(
  options: PlainOptions,
  documentedType: string | undefined,
): {
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
} {
  const { mimeType = documentedType, size, annotations } = options;
  return {
    ...(mimeType && { mimeType }),
    ...(size !== undefined && { size }),
    ...(annotations && { annotations }),
  };
}

/** Returns where the runtime finds the author's method, and how it fills its parameters. */
export function createHandlerRef(declaration: Declaration, parameters: HandlerParameter[]): HandlerRef {
  const { owner, methodName, isClassDecorated, isStatic } = declaration;
  return {
    module: owner.module,
    export: owner.exportName,
    method: methodName,
    ...(isClassDecorated && { classForm: true as const }),
    ...(isStatic && { static: true as const }),
    parameters,
  };
}

/**
 * Returns the JSDoc text of the nearest documented node: everything before and between the tags, verbatim. A method without
 * text has that of the method that it overrides or implements.
 *
 * @param nodes nearest first
 * @returns undefined if there is no text
 */
export function findDocumentation(nodes: readonly ts.Node[], types: TypeSyntax): string | undefined {
  for (const node of nodes) {
    const text = types.getMethodComment(node)?.text;
    if (text) return text;
  }
  return undefined;
}

/**
 * Returns the text of the nearest `@deprecated` for a description, because definitions have no member for it.
 *
 * @returns undefined if there is no such tag
 * @example
 * describeDeprecation([method], comments) // "Deprecated: Use `search`."
 */
function describeDeprecation(nodes: readonly ts.Node[], comments: CommentCache): string | undefined {
  const tag = nodes
    .flatMap((node) => comments.getComment(node)?.tags ?? [])
    .find(({ name }) => name === "deprecated");
  if (tag === undefined) return undefined;
  const text = tag.text.trim();
  return text === "" ? "Deprecated." : `Deprecated: ${text}`;
}

/**
 * Returns the text of a JSDoc tag on the nearest node that has it.
 *
 * @example
 * findTagText([method], "mimeType", comments) // "text/markdown"
 */
export function findTagText(
  nodes: readonly ts.Node[],
  name: string,
  comments: CommentCache,
): string | undefined {
  for (const node of nodes) {
    const tag = comments.getComment(node)?.tags.findLast((each) => each.name === name);
    if (tag?.text.trim()) return tag.text.trim();
  }
  return undefined;
}
