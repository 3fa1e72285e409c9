import type { Annotations, Icon, Meta, ToolAnnotations } from "@tenon/runtime/manifest";
import type { PlainOptions } from "../declared-options.js";

/** What every definition may say, in the order the specification lists it. */
export interface Described {
  title?: string;
  description?: string;
  icons?: Icon[];
  _meta?: Meta;
}

/**
 * @param documentation the JSDoc text, used unless the `description` option replaces it
 */
export function described(options: PlainOptions, documentation: string | undefined): Described {
  const { title, description = documentation, icons } = options;
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
