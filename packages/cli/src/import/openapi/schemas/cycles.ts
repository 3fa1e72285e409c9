import type { JsonSchema } from "@tenon/runtime/manifest";

/**
 * Removes choices and parts that lead back to their own definition, which no type can express. References within
 * objects and lists stay.
 *
 * @example
 * removeCycles({ A: { anyOf: [{ $ref: "#/$defs/A" }, { type: "string" }] } }) // { A: { anyOf: [{ type: "string" }] } }
 */
export function removeCycles(definitions: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const done: Record<string, JsonSchema> = {};
  const visit = (name: string, path: readonly string[]): void => {
    const schema = definitions[name];
    if (schema !== undefined) done[name] ??= cut(schema, [...path, name]) ?? {};
  };
  const cut = (schema: JsonSchema, path: readonly string[]): JsonSchema | undefined => {
    const name = schema.$ref?.slice("#/$defs/".length);
    if (name !== undefined) {
      if (path.includes(name)) return undefined;
      visit(name, path);
      return schema;
    }
    const { anyOf, allOf, ...rest } = schema;
    const [choices = [], parts = []] = [anyOf, allOf].map((list) =>
      list?.map((each) => cut(each, path)).filter((each) => each !== undefined),
    );
    return {
      ...rest,
      ...(choices.length > 0 && { anyOf: choices }),
      ...(parts.length > 0 && { allOf: parts }),
    };
  };
  for (const name of Object.keys(definitions)) visit(name, []);
  return done;
}
