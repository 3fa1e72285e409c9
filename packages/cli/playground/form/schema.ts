import type { JsonSchema, JsonValue } from "@tenon/runtime/manifest";

/** What a field asks for, in the way it is asked. */
export type Shape =
  | { type: "text"; isLong: boolean }
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
  | { type: "list"; items: JsonSchema; least: number; most: number }
  | { type: "tuple"; items: JsonSchema[]; least: number; rest: JsonSchema | undefined }
  | { type: "union"; variants: JsonSchema[] }
  | { type: "json" };

export interface Choice {
  value: JsonValue;
  label: string;
}

/** Deeper defaults are left to the person: a type may contain itself. */
const DEPTH = 8;

/** The schema that a reference names, with what stands beside the reference. */
export function resolved(given: JsonSchema | boolean | undefined, root: JsonSchema): JsonSchema {
  let schema: JsonSchema = typeof given === "object" ? given : {};
  for (let steps = 0; schema.$ref !== undefined && steps < 32; steps += 1) {
    const { $ref, ...beside } = schema;
    const target = atPointer(root, $ref);
    schema = { ...target, ...beside };
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...own } = schema;
  return [...allOf.map((part) => resolved(part, root)), own].reduce(merged, {});
}

function atPointer(root: JsonSchema, ref: string): JsonSchema {
  let found: unknown = root;
  for (const part of ref.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = (found as Record<string, unknown> | undefined)?.[key];
  }
  return typeof found === "object" && found !== null ? (found as JsonSchema) : {};
}

function merged(left: JsonSchema, right: JsonSchema): JsonSchema {
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

/** @param schema resolved */
export function shapeOf(schema: JsonSchema, root: JsonSchema): Shape {
  if (schema.const !== undefined) return { type: "constant", value: schema.const };
  const [only, ...others] = schema.enum ?? [];
  if (only !== undefined && others.length === 0) return { type: "constant", value: only };
  if (schema.enum) return { type: "choice", choices: schema.enum.map(choiceOf) };
  const variants = variantsOf(schema, root);
  if (variants) {
    const choices = constantsOf(variants);
    return choices ? { type: "choice", choices } : { type: "union", variants };
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) return objectShape(schema);
  if (type === "array" || schema.prefixItems) return arrayShape(schema, root);
  if (type === "string") return { type: "text", isLong: isLong(schema) };
  if (type === "number" || type === "integer") return { type: "number", isInteger: type === "integer" };
  if (type === "boolean") return { type: "boolean" };
  if (type === "null") return { type: "constant", value: null };
  return { type: "json" };
}

function objectShape({ properties, required = [], additionalProperties }: JsonSchema): Shape {
  const isOpen = additionalProperties === true || typeof additionalProperties === "object";
  const isRecord = properties === undefined && additionalProperties !== false;
  if (isRecord && !isOpen) return { type: "json" };
  const extra = typeof additionalProperties === "object" ? additionalProperties : isOpen ? {} : undefined;
  return { type: "object", properties: Object.entries(properties ?? {}), required: new Set(required), extra };
}

function arrayShape(schema: JsonSchema, root: JsonSchema): Shape {
  const { prefixItems, items, minItems = 0, maxItems = Infinity, uniqueItems } = schema;
  if (prefixItems) {
    const rest = items === false || maxItems <= prefixItems.length ? undefined : resolved(items, root);
    return { type: "tuple", items: prefixItems, least: minItems, rest };
  }
  const item = resolved(items, root);
  const choices = item.enum?.map(choiceOf) ?? constantsOf(variantsOf(item, root) ?? []);
  if (uniqueItems === true && choices) return { type: "choices", choices };
  return { type: "list", items: typeof items === "object" ? items : {}, least: minItems, most: maxItems };
}

/** The schemas of which one is to be chosen, each whole. */
function variantsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] | undefined {
  const { anyOf, oneOf, ...base } = schema;
  const choices = anyOf ?? oneOf;
  if (choices) {
    const { title: _title, description: _description, default: _default, ...shared } = base;
    return choices.map((choice) => merged(shared, resolved(choice, root)));
  }
  if (!Array.isArray(schema.type) || schema.type.length < 2) return undefined;
  return schema.type.map((type) => ({ ...base, type }));
}

function constantsOf(variants: readonly JsonSchema[]): Choice[] | undefined {
  const choices = variants.flatMap((each) =>
    each.const === undefined ? [] : [{ value: each.const, label: each.title ?? labelOf(each.const) }],
  );
  return choices.length > 0 && choices.length === variants.length ? choices : undefined;
}

function choiceOf(value: JsonValue): Choice {
  return { value, label: labelOf(value) };
}

function labelOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isLong({ maxLength = 0, contentMediaType, format }: JsonSchema): boolean {
  return format === undefined && (maxLength > 200 || contentMediaType?.startsWith("text/") === true);
}

/** What tells a variant from the others. */
export function variantLabel(variant: JsonSchema): string {
  if (variant.title !== undefined) return variant.title;
  const marks = Object.values(variant.properties ?? {}).flatMap((each) => {
    const value = each.const ?? (each.enum?.length === 1 ? each.enum[0] : undefined);
    return typeof value === "string" ? [value] : [];
  });
  if (marks.length > 0) return marks.join(" ");
  if (variant.properties) return Object.keys(variant.properties).join(", ") || "object";
  const { $ref, type, items, format, enum: values } = variant;
  if (values) return values.map(labelOf).join(" | ");
  if (type === "array" && typeof items === "object") return `list of ${variantLabel(items)}`;
  return $ref?.split("/").pop() ?? format ?? String(type ?? "anything");
}

/** What a field has before anything is typed: as much as has to be there. */
export function initialValue(given: JsonSchema, root: JsonSchema, depth = DEPTH): JsonValue | undefined {
  const schema = resolved(given, root);
  if (schema.default !== undefined) return schema.default;
  const shape = shapeOf(schema, root);
  if (depth === 0) return undefined;
  if (shape.type === "constant") return shape.value;
  if (shape.type === "boolean") return false;
  if (shape.type === "choices") return [];
  if (shape.type === "list") return [];
  if (shape.type === "union") return initialValue(shape.variants[0] ?? {}, root, depth - 1);
  if (shape.type === "tuple") {
    return shape.items.slice(0, shape.least).map((item) => initialValue(item, root, depth - 1) ?? null);
  }
  if (shape.type !== "object") return undefined;
  const found = shape.properties.flatMap(([name, property]) => {
    const value = shape.required.has(name) ? initialValue(property, root, depth - 1) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The variant that a value is most likely of. */
export function variantOf(value: unknown, variants: readonly JsonSchema[], root: JsonSchema): number {
  const scores = variants.map((variant) => likeness(value, variant, root, 3));
  const best = Math.max(...scores);
  return best > 0 ? scores.indexOf(best) : -1;
}

/** 0 where a value cannot be of a schema; more, the more of it is known there. */
function likeness(value: unknown, given: JsonSchema, root: JsonSchema, depth: number): number {
  const shape = shapeOf(resolved(given, root), root);
  switch (shape.type) {
    case "constant":
      return value === shape.value ? 4 : 0;
    case "choice":
      return shape.choices.some((choice) => choice.value === value) ? 3 : 0;
    case "text":
      return typeof value === "string" ? 2 : 0;
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
        : Math.max(...shape.variants.map((each) => likeness(value, each, root, depth - 1)));
    case "json":
      return 1;
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return 0;
      let score = 1;
      for (const [name, property] of shape.properties) {
        const member = (value as Record<string, unknown>)[name];
        if (member === undefined) continue;
        const found = depth === 0 ? 1 : likeness(member, property, root, depth - 1);
        if (found === 0 && shapeOf(resolved(property, root), root).type === "constant") return 0;
        score += found;
      }
      return score;
    }
  }
}
