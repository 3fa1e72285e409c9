import type { JsonSchema } from "@tenon/runtime/manifest";
import { isSchema, listSchemas } from "./walk.js";

/** The definitions that a schema may refer to, by name. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Returns the name of the definition that a reference names, or undefined for other schemas. */
export function getTargetName({ $ref }: JsonSchema): string | undefined {
  return $ref?.replace("#/$defs/", "");
}

/** Returns the definition that a reference names, or undefined if there is none. */
export function findTarget(schema: JsonSchema, defs: Definitions): JsonSchema | undefined {
  const name = getTargetName(schema);
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}

/** Returns the definition that a reference leads to. Other schemas are returned unchanged. */
export function resolveTarget(schema: JsonSchema, defs: Definitions): JsonSchema {
  let target = schema;
  for (let hops = 0; hops < 32; hops++) {
    const next = findTarget(target, defs);
    if (!next) break;
    target = next;
  }
  return target;
}

/** Returns the part of a schema at a local reference such as `#/$defs/Node`, or undefined if there is none. */
export function resolvePointer(root: JsonSchema, reference: string): unknown {
  // `#name` is an anchor.
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  const tokens = reference.split("/").slice(1);
  return tokens.reduce<unknown>((part, token) => {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    return (Object(part) as Record<string, unknown>)[name];
  }, root);
}

/** Returns the schema at a local reference, by pointer or by anchor, or undefined if there is none. */
export function findReferenced(root: JsonSchema, reference: string): JsonSchema | undefined {
  const target =
    resolvePointer(root, reference) ??
    listSchemas(root).find(
      ({ $anchor, $dynamicAnchor }) =>
        reference.startsWith("#") && [$anchor, $dynamicAnchor].includes(reference.slice(1)),
    );
  return isSchema(target) ? target : undefined;
}

/** Returns whether a schema or one inside it is a reference. */
export function hasReference(schema: JsonSchema): boolean {
  return listSchemas(schema).some(({ $ref }) => $ref !== undefined);
}

/** Adds the definitions that a schema reaches. */
export function withDefs(schema: JsonSchema, defs: Definitions): JsonSchema {
  if (Object.keys(defs).length === 0) return schema;
  const reached = new Map<string, JsonSchema>();
  const visit = (from: JsonSchema): void => {
    for (const each of listSchemas(from)) {
      const [name = "", target] = [getTargetName(each), findTarget(each, defs)];
      if (target && !reached.has(name)) visit((reached.set(name, target), target));
    }
  };
  visit(schema);
  if (reached.size === 0) return schema;
  return { ...schema, $defs: Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
