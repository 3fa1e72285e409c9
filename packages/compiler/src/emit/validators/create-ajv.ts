import { _, Ajv2020, type KeywordDefinition } from "ajv/dist/2020.js";
import { CHECKED_FORMATS } from "@tenon/runtime/manifest";

/** Members that every object has without being given them. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** The keyword of {@link booleanSchema}. */
const BOOLEAN = "boolean";

/**
 * An ajv that writes CommonJS, to be run with what `@tenon/runtime/validation` brings along.
 *
 * @param text the schema that it is for, as JSON
 */
export function createAjv(text: string): Ajv2020 {
  const ajv = new Ajv2020({
    // Those that ajv brings along cost more than most schemas, and only schemas of schemas refer to them.
    meta: text.includes("json-schema.org"),
    validateSchema: false,
    messages: false,
    strict: false,
    strictNumbers: true,
    // A required `constructor` is not satisfied by the one that every object inherits. Asking whose a member is makes
    // a check of three records take 0.4 µs instead of 0.15.
    ownProperties: INHERITED.some((name) => text.includes(JSON.stringify(name))),
    useDefaults: true,
    logger: false,
    code: {
      source: true,
      // As long as compiling itself, for a seventh of the text.
      optimize: false,
      formats: _`formats`,
      // Nobody calls what ajv compiles, only what it writes.
      process: () => "return () => true",
    },
  });
  // Where no keyword asks what others have looked at, it costs lines in each function, and patterns make them wrong.
  ajv.opts.unevaluated = text.includes('"unevaluated');
  ajv.addKeyword({
    keyword: BOOLEAN,
    schemaType: "object",
    code: (context) => {
      const valid = context.gen.name("valid");
      context.mergeEvaluated(context.subschema({ keyword: BOOLEAN, createErrors: false }, valid));
      context.ok(valid);
    },
  });
  // For a list that is shorter than its tuple, ajv forgets what comes after the tuple.
  const before = "prefixItems";
  const contains = ajv.getKeyword("contains") as KeywordDefinition;
  ajv.removeKeyword("contains").addKeyword({ ...contains, before });
  // ajv compares each item with each; the runtime's own takes one look at each.
  ajv.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    before,
    code: (context) => {
      if (context.schema === true) context.pass(_`uniqueItems(${context.data})`);
    },
  });
  // The real checks run in the server; here a format only has to be known by name.
  for (const name of CHECKED_FORMATS) ajv.addFormat(name, () => true);
  return ajv;
}

/** Stands around a schema whose validator need not say what is wrong, which is half the code. */
export function booleanSchema(schema: object): object {
  return { [BOOLEAN]: schema };
}
