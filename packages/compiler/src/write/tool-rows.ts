import { type JsonSchema, type Tool, wrapSchema } from "@tenon/runtime/manifest";
import { createFingerprint } from "./tool-fingerprint.js";

/** The row of a tool in a typed client. */
export interface ToolRow {
  readonly name: string;
  /** The kind of result of the generated function: the content, or data that is an object or another value. */
  readonly returns: "content" | "object" | "value";
  /** The fingerprint of the schema of its arguments. */
  readonly given: string;
  /**
   * The fingerprints of the schema of its results, which do not depend on the revision: from 2025-06-18 to 2025-11-25, a value
   * other than an object is the member `result` of one.
   */
  readonly results: readonly string[];
}

/** Describes a tool for the table of a typed client. */
export function createToolRow({ name, inputSchema, outputSchema }: Tool): ToolRow {
  const given = createFingerprint(inputSchema);
  if (outputSchema === undefined)
    return { name, returns: "content", given, results: [createFingerprint(undefined)] };
  const isObject = outputSchema.type === "object";
  const value = isObject ? unwrapSchema(outputSchema) : outputSchema;
  const object = isObject ? outputSchema : wrapSchema(outputSchema);
  return {
    name,
    returns: isObject ? "object" : "value",
    given,
    results: [object, ...(value ? [value] : [])].map(createFingerprint),
  };
}

/** Returns the schema of `value` for a schema of `{ result: value }`, and undefined for another schema. */
function unwrapSchema(schema: JsonSchema): JsonSchema | undefined {
  const { type: _type, properties = {}, required: _required, description, $schema, $defs } = schema;
  const { result } = properties;
  if (result === undefined) return undefined;
  const inner = {
    ...result,
    ...(description !== undefined && { description }),
    ...($schema !== undefined && { $schema }),
    ...($defs !== undefined && { $defs }),
  };
  const value = moveReferences(inner) as JsonSchema;
  const isWrapped =
    value.type !== "object" && createFingerprint(wrapSchema(value)) === createFingerprint(schema);
  return isWrapped ? value : undefined;
}

/** Updates references into `result`, which becomes the root. */
function moveReferences(part: unknown): unknown {
  return JSON.parse(
    JSON.stringify(part).replaceAll(/"\$ref":"#\/properties\/result(?=[/"])/g, '"$ref":"#'),
  ) as unknown;
}
