import type { Annotations, Icon, Meta, ToolAnnotations } from "@tenon/runtime/manifest";
import type { PlainOptions } from "../model.js";

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
  const description = text(options.description) ?? documentation;
  return {
    ...(text(options.title) !== undefined && { title: options.title as string }),
    ...(description && { description }),
    ...(Array.isArray(options.icons) && { icons: options.icons as unknown as Icon[] }),
  };
}

export function metaOf(options: PlainOptions): { _meta?: Meta } {
  return isObject(options.meta) ? { _meta: options.meta } : {};
}

/** The decorator's plain words as the specification's hints. */
export function toolAnnotations(options: PlainOptions): { annotations?: ToolAnnotations } {
  const annotations: ToolAnnotations = {
    ...flag("readOnlyHint", options.readOnly),
    ...flag("destructiveHint", options.destructive),
    ...flag("idempotentHint", options.idempotent),
    ...flag("openWorldHint", options.openWorld),
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
  const mimeType = text(options.mimeType) ?? documentedType;
  return {
    ...(mimeType && { mimeType }),
    ...(typeof options.size === "number" && { size: options.size }),
    ...(isObject(options.annotations) && { annotations: options.annotations as Annotations }),
  };
}

function flag<Name extends string>(name: Name, value: unknown): { [key in Name]?: boolean } {
  return (typeof value === "boolean" ? { [name]: value } : {}) as { [key in Name]?: boolean };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
