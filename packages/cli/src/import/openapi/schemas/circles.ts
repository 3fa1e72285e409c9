import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * Definitions without those that are themselves and nothing else, by way of choices and references: no value and no type can
 * follow them. What leads back to itself inside of objects and lists stays.
 *
 * @example
 * withoutCircles({ A: { anyOf: [{ $ref: "#/$defs/A" }, { type: "string" }] } }) // { A: { anyOf: [{ type: "string" }] } }
 */
export function withoutCircles(
  definitions: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const done: Record<string, JsonSchema> = {};
  const visit = (name: string, way: readonly string[]): void => {
    const schema = definitions[name];
    if (schema === undefined || done[name] !== undefined) return;
    done[name] = cut(schema, [...way, name]) ?? {};
  };
  const cut = (schema: JsonSchema, way: readonly string[]): JsonSchema | undefined => {
    const name = schema.$ref?.slice("#/$defs/".length);
    if (name !== undefined) {
      if (way.includes(name)) return undefined;
      visit(name, way);
      return schema;
    }
    const { anyOf, allOf, ...rest } = schema;
    if (anyOf === undefined && allOf === undefined) return schema;
    const kept = (list: readonly JsonSchema[] = []): JsonSchema[] =>
      list.map((each) => cut(each, way)).filter((each) => each !== undefined);
    const [choices, parts] = [kept(anyOf), kept(allOf)];
    return {
      ...rest,
      ...(choices.length > 0 && { anyOf: choices }),
      ...(parts.length > 0 && { allOf: parts }),
    };
  };
  for (const name of Object.keys(definitions)) visit(name, []);
  return done;
}
