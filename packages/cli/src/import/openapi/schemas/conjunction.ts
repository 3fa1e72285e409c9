import type { JsonSchema } from "@tenon/runtime/manifest";

/** Looks up what a reference refers to; anything else is what it is. */
type Resolve = (schema: JsonSchema) => JsonSchema;

/**
 * A schema for values that fit all of several, in a form that a type can have: objects joined, choices outermost.
 *
 * @example
 * conjunction([{ $ref: "#/$defs/Pet" }, { type: "object", properties: { tail: { type: "boolean" } } }], resolve)
 * // { allOf: [{ $ref: "#/$defs/Pet" }, { type: "object", … }] }
 */
export function conjunction(given: readonly JsonSchema[], resolve: Resolve, depth = 0): JsonSchema {
  const parts = given.flatMap((part) => (isOnly(part, "allOf") ? (part.allOf ?? []) : [part]));
  const saying = parts.filter((part) => Object.keys(part).some((key) => !ANNOTATIONS.has(key)));
  const notes = Object.assign({}, ...parts.filter((part) => !saying.includes(part))) as JsonSchema;
  const [only, ...others] = saying;
  if (only === undefined) return notes;
  if (others.length === 0) return { ...only, ...notes };
  const choice = saying.findIndex((part) => choicesIn(part, resolve) !== undefined);
  if (choice >= 0) {
    const rest = saying.filter((_, index) => index !== choice);
    const choices = choicesIn(saying[choice] ?? {}, resolve) ?? [];
    // Choices of choices, and of themselves, are no type that anybody would write.
    if (
      depth === MOST_CHOICES ||
      choices.some((each) => each.$ref !== undefined && choicesIn(each, resolve) !== undefined)
    )
      return { ...only, ...notes };
    return { anyOf: choices.map((each) => conjunction([each, ...rest], resolve, depth + 1)), ...notes };
  }
  const targets = saying.map((part) => whole(part, resolve));
  if (!targets.every(isObjectLike)) return { ...joinedScalars(targets), ...notes };
  const names = targets.flatMap((target) => Object.keys(target.properties ?? {}));
  const isApart = new Set(names).size === names.length || onlyNarrows(targets);
  const known = (target: JsonSchema): boolean =>
    (target.required ?? []).every((name) => target.properties?.[name] !== undefined);
  const isPlain = targets.every((target) => target.additionalProperties === undefined && known(target));
  if (isApart && isPlain && saying.every((part) => part.$ref !== undefined || part.allOf === undefined)) {
    return {
      allOf: saying.map(withoutDescription),
      ...ownDescription(saying),
      ...notes,
    };
  }
  return { ...joinedObjects(targets, resolve), ...notes };
}

const MOST_CHOICES = 4;
const ANNOTATIONS: ReadonlySet<string> = new Set(["description", "default", "deprecated"]);

/** Whether what stands twice is a text first and then one of some texts: TypeScript joins these as they are meant. */
function onlyNarrows(targets: readonly JsonSchema[]): boolean {
  const seen = new Map<string, JsonSchema>();
  return targets.every((target) =>
    Object.entries(target.properties ?? {}).every(([name, member]) => {
      const before = seen.get(name);
      seen.set(name, member);
      if (before === undefined) return true;
      const isText =
        before.type === "string" &&
        Object.keys(before).every((key) => key === "type" || key === "description");
      return isText && member.enum !== undefined;
    }),
  );
}

function withoutDescription(schema: JsonSchema): JsonSchema {
  const { description: _, ...rest } = schema;
  return rest;
}

/** What stands beside is said of the whole. */
function ownDescription(parts: readonly JsonSchema[]): JsonSchema {
  const description = parts.find((part) => part.$ref === undefined)?.description;
  return description === undefined ? {} : { description };
}

function isOnly(schema: JsonSchema, keyword: string): boolean {
  return Object.keys(schema).join() === keyword;
}

function choicesIn(schema: JsonSchema, resolve: Resolve): readonly JsonSchema[] | undefined {
  const target = resolve(schema);
  return target.anyOf !== undefined && target.properties === undefined ? target.anyOf : undefined;
}

/** What a schema is when its references are followed and its parts joined. */
export function whole(schema: JsonSchema, resolve: Resolve, depth = 0): JsonSchema {
  const target = resolve(schema);
  if (target === schema && target.allOf === undefined) return schema;
  if (depth > 20) return {};
  if (target.allOf === undefined) return whole(target, resolve, depth + 1);
  return joinedObjects(
    target.allOf.map((part) => whole(part, resolve, depth + 1)),
    resolve,
  );
}

function isObjectLike(schema: JsonSchema): boolean {
  return (
    schema.anyOf === undefined && (schema.type === "object" || schema.type === undefined) && !schema.enum
  );
}

function joinedObjects(parts: readonly JsonSchema[], resolve: Resolve): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const part of parts) {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      const before = properties[name];
      properties[name] = before === undefined ? member : narrower(before, member, resolve);
    }
  }
  const required = [...new Set(parts.flatMap((part) => part.required ?? []))].filter(
    (name) => properties[name] !== undefined,
  );
  const open = parts.find((part) => part.additionalProperties === true)?.additionalProperties;
  const values = parts.find((part) => typeof part.additionalProperties === "object")?.additionalProperties;
  const hasMembers = Object.keys(properties).length > 0;
  const additional = hasMembers ? (open ?? (values && true)) : (values ?? open);
  return {
    type: "object",
    ...(hasMembers && { properties }),
    ...(required.length > 0 && { required }),
    ...(additional !== undefined && { additionalProperties: additional }),
  };
}

/** Of two schemas of one member, the one that says more. */
function narrower(before: JsonSchema, after: JsonSchema, resolve: Resolve): JsonSchema {
  const [a, b] = [resolve(before), resolve(after)];
  const saysNothing = Object.keys(b).every((key) => ANNOTATIONS.has(key));
  if (saysNothing) return { ...before, ...b };
  const fixes = (schema: JsonSchema): boolean => schema.enum !== undefined || schema.const !== undefined;
  return fixes(a) && !fixes(b) ? before : after;
}

/** Limits on one value, together. */
function joinedScalars(parts: readonly JsonSchema[]): JsonSchema {
  const types = new Set(parts.flatMap(({ type }) => (type === undefined ? [] : [JSON.stringify(type)])));
  const [first = {}] = parts;
  return types.size > 1 ? first : (Object.assign({}, ...parts) as JsonSchema);
}
