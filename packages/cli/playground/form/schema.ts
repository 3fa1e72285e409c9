import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";

/** The arguments of a call, or the content of an answer. */
export type Arguments = Record<string, unknown>;

/** The shape of a field, which determines its control. */
export type Shape =
  | { type: "text"; isLong: boolean }
  /** A file is sent as text, or as the object that OpenAI's clients send. */
  | { type: "file"; isObject: boolean }
  | { type: "number"; isInteger: boolean }
  | { type: "boolean" }
  | { type: "constant"; value: JsonValue }
  | { type: "choice"; choices: Choice[] }
  | { type: "choices"; choices: Choice[] }
  | {
      type: "object";
      properties: [string, JsonSchema][];
      required: ReadonlySet<string>;
      extra: JsonSchema | undefined;
    }
  | { type: "list"; items: JsonSchema; minItems: number; maxItems: number }
  | { type: "tuple"; items: JsonSchema[]; minItems: number; rest: JsonSchema | undefined }
  | { type: "union"; variants: JsonSchema[] }
  | { type: "json" };

export interface Choice {
  value: JsonValue;
  label: string;
}

/** Maximum depth of initial values, since a type may contain itself. */
const MAX_DEPTH = 8;

/** Resolves references, merging the keywords next to them, and merges `allOf`. */
export function resolveSchema(given: JsonSchema | boolean | undefined, root: JsonSchema): JsonSchema {
  let schema: JsonSchema = typeof given === "object" ? given : {};
  for (let steps = 0; schema.$ref !== undefined && steps < 32; steps += 1) {
    const { $ref, ...siblings } = schema;
    const target = resolvePointer(root, $ref);
    schema = { ...target, ...siblings };
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...own } = schema;
  return [...allOf.map((part) => resolveSchema(part, root)), own].reduce(mergeSchemas, {});
}

function resolvePointer(root: JsonSchema, ref: string): JsonSchema {
  let found: unknown = root;
  for (const part of ref.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = (found as Record<string, unknown> | undefined)?.[key];
  }
  return typeof found === "object" && found !== null ? (found as JsonSchema) : {};
}

function mergeSchemas(left: JsonSchema, right: JsonSchema): JsonSchema {
  return {
    ...left,
    ...right,
    ...((left.properties ?? right.properties) && {
      properties: { ...left.properties, ...right.properties },
    }),
    ...((left.required ?? right.required) && {
      required: [...(left.required ?? []), ...(right.required ?? [])],
    }),
  };
}

/**
 * Returns the shape of a field.
 *
 * @param schema a resolved schema
 */
export function toShape(schema: JsonSchema, root: JsonSchema): Shape {
  if (schema.const !== undefined) return { type: "constant", value: schema.const };
  const [first, ...others] = schema.enum ?? [];
  if (first !== undefined && others.length === 0) return { type: "constant", value: first };
  if (schema.enum) return { type: "choice", choices: schema.enum.map(toChoice) };
  const variants = getVariants(schema, root);
  if (variants) {
    const choices = getConstants(variants);
    return choices ? { type: "choice", choices } : { type: "union", variants };
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "string" && schema["x-mcp-file"] !== undefined) return { type: "file", isObject: false };
  if (isFileObject(schema)) return { type: "file", isObject: true };
  if (type === "object" || schema.properties) return toObjectShape(schema);
  if (type === "array" || schema.prefixItems) return toArrayShape(schema, root);
  if (type === "string") return { type: "text", isLong: isLong(schema) };
  if (type === "number" || type === "integer") return { type: "number", isInteger: type === "integer" };
  if (type === "boolean") return { type: "boolean" };
  if (type === "null") return { type: "constant", value: null };
  return { type: "json" };
}

/**
 * Returns whether a schema is that of the object with which OpenAI's clients send a file.
 *
 * @see https://developers.openai.com/plugins/reference
 */
function isFileObject({ properties = {}, required = [] }: JsonSchema): boolean {
  return ["download_url", "file_id"].every(
    (name) => required.includes(name) && Object.hasOwn(properties, name),
  );
}

function toObjectShape({ properties, required = [], additionalProperties }: JsonSchema): Shape {
  const allowsExtra = additionalProperties === true || typeof additionalProperties === "object";
  const isRecord = properties === undefined && additionalProperties !== false;
  if (isRecord && !allowsExtra) return { type: "json" };
  const extra =
    typeof additionalProperties === "object" ? additionalProperties : allowsExtra ? {} : undefined;
  return { type: "object", properties: Object.entries(properties ?? {}), required: new Set(required), extra };
}

function toArrayShape(schema: JsonSchema, root: JsonSchema): Shape {
  const { prefixItems, items, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  if (prefixItems) {
    const rest = items === false || maxItems <= prefixItems.length ? undefined : resolveSchema(items, root);
    return { type: "tuple", items: prefixItems, minItems, rest };
  }
  const item = resolveSchema(items, root);
  const choices = item.enum?.map(toChoice) ?? getConstants(getVariants(item, root) ?? []);
  if (uniqueItems === true && choices) return { type: "choices", choices };
  return { type: "list", items: typeof items === "object" ? items : {}, minItems, maxItems };
}

/** Returns the alternatives of a schema, each with the shared keywords, or undefined if there are none. */
function getVariants(schema: JsonSchema, root: JsonSchema): JsonSchema[] | undefined {
  const { anyOf, oneOf, ...base } = schema;
  const choices = anyOf ?? oneOf;
  if (choices) {
    const { title: _title, description: _description, default: _default, ...shared } = base;
    return choices.map((choice) => mergeSchemas(shared, resolveSchema(choice, root)));
  }
  if (!Array.isArray(schema.type) || schema.type.length < 2) return undefined;
  return schema.type.map((type) => ({ ...base, type }));
}

function getConstants(variants: readonly JsonSchema[]): Choice[] | undefined {
  const choices = variants.flatMap((each) =>
    each.const === undefined ? [] : [{ value: each.const, label: each.title ?? toLabel(each.const) }],
  );
  return choices.length > 0 && choices.length === variants.length ? choices : undefined;
}

function toChoice(value: JsonValue): Choice {
  return { value, label: toLabel(value) };
}

function toLabel(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isLong({ maxLength = 0, contentMediaType, format }: JsonSchema): boolean {
  return format === undefined && (maxLength > 200 || contentMediaType?.startsWith("text/") === true);
}

/** Returns the label that distinguishes a variant from the others. */
export function getVariantLabel(variant: JsonSchema): string {
  if (variant.title !== undefined) return variant.title;
  const constants = Object.values(variant.properties ?? {}).flatMap((each) => {
    const value = each.const ?? (each.enum?.length === 1 ? each.enum[0] : undefined);
    return typeof value === "string" ? [value] : [];
  });
  if (constants.length > 0) return constants.join(" ");
  if (variant.properties) return Object.keys(variant.properties).join(", ") || "object";
  const { $ref, type, items, format, enum: values } = variant;
  if (values) return values.map(toLabel).join(" | ");
  if (type === "array" && typeof items === "object") return `list of ${getVariantLabel(items)}`;
  return $ref?.split("/").pop() ?? format ?? String(type ?? "anything");
}

/** Returns the initial value of a field, with the required members only. */
export function getInitialValue(
  given: JsonSchema,
  root: JsonSchema,
  depth = MAX_DEPTH,
): JsonValue | undefined {
  const schema = resolveSchema(given, root);
  if (schema.default !== undefined) return schema.default;
  const shape = toShape(schema, root);
  if (depth === 0) return undefined;
  if (shape.type === "constant") return shape.value;
  if (shape.type === "boolean") return false;
  if (shape.type === "choices") return [];
  if (shape.type === "list") return [];
  if (shape.type === "union") return getInitialValue(shape.variants[0] ?? {}, root, depth - 1);
  if (shape.type === "tuple") {
    return shape.items.slice(0, shape.minItems).map((item) => getInitialValue(item, root, depth - 1) ?? null);
  }
  if (shape.type !== "object") return undefined;
  const found = shape.properties.flatMap(([name, property]) => {
    const value = shape.required.has(name) ? getInitialValue(property, root, depth - 1) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** Returns the index of the variant that best matches a value, or -1. */
export function findVariant(value: unknown, variants: readonly JsonSchema[], root: JsonSchema): number {
  const scores = variants.map((variant) => scoreMatch(value, variant, root, 3));
  const best = Math.max(...scores);
  return best > 0 ? scores.indexOf(best) : -1;
}

/** Returns 0 if a value cannot match a schema, or a number that grows with each matching part. */
function scoreMatch(value: unknown, given: JsonSchema, root: JsonSchema, depth: number): number {
  const shape = toShape(resolveSchema(given, root), root);
  switch (shape.type) {
    case "constant":
      return value === shape.value ? 4 : 0;
    case "choice":
      return shape.choices.some((choice) => choice.value === value) ? 3 : 0;
    case "text":
      return typeof value === "string" ? 2 : 0;
    case "file":
      return typeof value === (shape.isObject ? "object" : "string") && value !== null ? 2 : 0;
    case "number":
      return typeof value === "number" ? (shape.isInteger === Number.isInteger(value) ? 2 : 1) : 0;
    case "boolean":
      return typeof value === "boolean" ? 2 : 0;
    case "list":
    case "tuple":
    case "choices":
      return Array.isArray(value) ? 2 : 0;
    case "union":
      return depth === 0
        ? 1
        : Math.max(...shape.variants.map((each) => scoreMatch(value, each, root, depth - 1)));
    case "json":
      return 1;
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
      let score = 1;
      for (const [name, property] of shape.properties) {
        const member = (value as Record<string, unknown>)[name];
        if (member === undefined) continue;
        const found = depth === 0 ? 1 : scoreMatch(member, property, root, depth - 1);
        if (found === 0 && toShape(resolveSchema(property, root), root).type === "constant") return 0;
        score += found;
      }
      return score;
    }
  }
}
