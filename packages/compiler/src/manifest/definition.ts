import type { Annotations, Icon, Meta, ToolAnnotations } from "@tenon/runtime/manifest";
import type { PlainOptions } from "../declared-options.js";
import type { CommentCache } from "../jsdoc/comment-cache.js";
import { deprecation, documentation } from "../jsdoc/documentation.js";
import type { ts } from "../project/typescript.js";

/** What every definition may say, in the order the specification lists it. */
export interface Described {
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: Meta;
}

/**
 * The JSDoc text is used unless the `description` option replaces it; that something is deprecated is said either way.
 *
 * @param nodes whose comments count, nearest first
 */
export function described(
  options: PlainOptions,
  nodes: readonly ts.Node[],
  comments: CommentCache,
): Described {
  const { title, description: replaced = documentation(nodes, comments), icons } = options;
  const description = [replaced, deprecation(nodes, comments)].filter(Boolean).join("\n\n");
  return {
    ...(title !== undefined && { title }),
    ...(description && { description }),
    ...(icons && { icons }),
  };
}

export function metaOf({ meta }: PlainOptions): { _meta?: Meta } {
  return meta ? { _meta: meta } : {};
}

/** The decorator's plain words as the specification's hints. */
export function toolAnnotations(options: PlainOptions): { annotations?: ToolAnnotations } {
  const { readOnly, destructive, idempotent, openWorld } = options;
  const annotations: ToolAnnotations = {
    ...(readOnly !== undefined && { readOnlyHint: readOnly }),
    ...(destructive !== undefined && { destructiveHint: destructive }),
    ...(idempotent !== undefined && { idempotentHint: idempotent }),
    ...(openWorld !== undefined && { openWorldHint: openWorld }),
  };
  return Object.keys(annotations).length > 0 ? { annotations } : {};
}

export function resourceFacts(
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
