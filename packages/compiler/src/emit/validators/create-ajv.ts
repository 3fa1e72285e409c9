import { _, Ajv2020, type KeywordDefinition } from "ajv/dist/2020.js";
import { CHECKED_FORMATS } from "@tenon/runtime/manifest";

/** Names of the members that every object inherits, as JSON. */
const QUOTED_INHERITED = Object.getOwnPropertyNames(Object.prototype).map((name) => JSON.stringify(name));

/** Keyword that {@link toBooleanSchema} adds. */
const BOOLEAN = "boolean";

/** The settings of ajv that depend on what a schema contains. */
export interface AjvSettings {
  /** Whether the schema may refer to meta-schemas. Compiling those takes longer than compiling most schemas. */
  meta: boolean;
  /**
   * Whether the schema names members that every object inherits: an inherited `constructor` must not satisfy a required one.
   * Only such schemas check for own members, which makes validating three records take 0.4 µs instead of 0.15.
   */
  ownProperties: boolean;
  /** Whether to track evaluated members, which adds code to each function and is wrong with patterns. */
  unevaluated: boolean;
}

/**
 * Returns the settings for a schema.
 *
 * @param text the schema as JSON
 */
export function readAjvSettings(text: string): AjvSettings {
  return {
    meta: text.includes("json-schema.org"),
    ownProperties: QUOTED_INHERITED.some((name) => text.includes(name)),
    unevaluated: text.includes('"unevaluated'),
  };
}

/** Creates an ajv that emits CommonJS for `@tenon/runtime/validation`. */
export function createAjv({ meta, ownProperties, unevaluated }: AjvSettings): Ajv2020 {
  const ajv = new Ajv2020({
    meta,
    validateSchema: false,
    messages: false,
    strict: false,
    strictNumbers: true,
    ownProperties,
    useDefaults: true,
    logger: false,
    code: {
      source: true,
      // Optimizing takes as long as compiling and saves only a seventh of the text.
      optimize: false,
      formats: _`formats`,
      // Only the emitted code is called, so ajv does not have to evaluate it.
      process: () => "return () => true",
    },
  });
  ajv.opts.unevaluated = unevaluated;
  ajv.addKeyword({
    keyword: BOOLEAN,
    schemaType: "object",
    code: (context) => {
      const valid = context.gen.name("valid");
      context.mergeEvaluated(context.subschema({ keyword: BOOLEAN, createErrors: false }, valid));
      context.ok(valid);
    },
  });
  // If a list is shorter than its tuple, ajv skips keywords that follow `prefixItems`.
  const before = "prefixItems";
  const contains = ajv.getKeyword("contains") as KeywordDefinition;
  ajv.removeKeyword("contains").addKeyword({ ...contains, before });
  // ajv compares every pair of items; the runtime's function visits each item once.
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    before,
    code: (context) => {
      if (context.schema === true) context.pass(_`uniqueItems(${context.data})`);
    },
  });
  // ajv divides floating-point numbers, so that 19.99 would not be a multiple of 0.01.
  ajv.removeKeyword("multipleOf").addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    code: (context) => context.pass(_`isMultiple(${context.data}, ${context.schema as number})`),
  });
  // The server checks formats; here only their names must be known.
  for (const name of CHECKED_FORMATS) ajv.addFormat(name, () => true);
  return ajv;
}

/** Wraps a schema so that its validator reports no errors, which halves its code. */
export function toBooleanSchema(schema: object): object {
  return { [BOOLEAN]: schema };
}
