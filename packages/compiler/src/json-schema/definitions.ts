import type { JsonSchema } from "@tenon/runtime/manifest";
import { schemasIn } from "./walk.js";

/** The definitions that a schema may refer to, by name. */
export type Definitions = Readonly<Record<string, JsonSchema>>;

/** The name of the definition that a reference leads to; undefined for schemas that are none. */
export function nameOfTarget({ $ref }: JsonSchema): string | undefined {
  return $ref?.replace("#/$defs/", "");
}

/** The definition that a reference names; undefined for schemas that are none, and while there is no definition. */
export function targetOf(schema: JsonSchema, defs: Definitions): JsonSchema | undefined {
  const name = nameOfTarget(schema);
  return name !== undefined && Object.hasOwn(defs, name) ? defs[name] : undefined;
}

/** The definition in the place of a reference; anything else as it is. */
export function resolved(schema: JsonSchema, defs: Definitions): JsonSchema {
  let target = schema;
  for (let hops = 0; hops < 32; hops++) {
    const next = targetOf(target, defs);
    if (!next) break;
    target = next;
  }
  return target;
}

/** Whether a schema or one inside it is a reference. */
export function refers(schema: JsonSchema): boolean {
  return schemasIn(schema).some(({ $ref }) => $ref !== undefined);
}

/** The schema with the definitions that it reaches. */
export function withDefs(schema: JsonSchema, defs: Definitions): JsonSchema {
  if (Object.keys(defs).length === 0) return schema;
  const reached = new Map<string, JsonSchema>();
  const visit = (from: JsonSchema): void => {
    for (const each of schemasIn(from)) {
      const [name = "", target] = [nameOfTarget(each), targetOf(each, defs)];
      if (target && !reached.has(name)) visit((reached.set(name, target), target));
    }
  };
  visit(schema);
  if (reached.size === 0) return schema;
  return { ...schema, $defs: Object.fromEntries([...reached].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
