import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import { _ } from "ajv/dist/compile/codegen/index.js";
import standalone from "ajv/dist/standalone/index.js";
import { CHECKED_FORMATS, type JsonSchema, type Manifest } from "@tenon/runtime/manifest";

/** What generated validators may call, by the name ajv asks for it: the runtime has its own small versions. */
const IMPORTS: Record<string, string> = {
  'require("ajv/dist/runtime/ucs2length").default': "ucs2length",
  'require("ajv/dist/runtime/equal").default': "equal",
};

/**
 * The text of `validators.js`: one function per distinct schema, compiled ahead of time, so that a deployed
 * server neither loads a validator library nor generates code.
 */
export function validatorsModule(manifest: Manifest): string {
  const schemas = new SchemaTable();
  const tools = manifest.tools.map(({ definition, input, output }) => {
    const parts = [`input: ${schemas.add(withoutRequiredDefaults(input.schema ?? definition.inputSchema))}`];
    const result = output.schema ?? definition.outputSchema;
    if (result) parts.push(`output: ${schemas.add(result)}`);
    return `    ${JSON.stringify(definition.name)}: { ${parts.join(", ")} },`;
  });
  const inputs = (entries: { key: string; schema: JsonSchema | undefined }[]): string[] =>
    entries.map(({ key, schema }) => {
      const name = schemas.add(withoutRequiredDefaults(schema ?? { type: "object" }));
      return `    ${JSON.stringify(key)}: { input: ${name} },`;
    });
  const prompts = inputs(
    manifest.prompts.map((each) => ({ key: each.definition.name, schema: each.input.schema })),
  );
  const templates = inputs(
    manifest.resourceTemplates.map((each) => ({
      key: each.definition.uriTemplate,
      schema: each.input.schema,
    })),
  );
  const forms = Object.entries(manifest.forms ?? {}).map(
    ([id, { schema }]) => `    ${JSON.stringify(id)}: ${schemas.add(withoutRequiredDefaults(schema))},`,
  );
  const formsMember = forms.length > 0 ? `\n  forms: {\n${forms.join("\n")}\n  },` : "";
  return `${schemas.code()}
export const validators = {
  tools: {
${tools.join("\n")}
  },
  prompts: {
${prompts.join("\n")}
  },
  resourceTemplates: {
${templates.join("\n")}
  },${formsMember}
};
`;
}

/** Compiling one schema alone tells whether it is a schema at all: escape-hatch schemas come from the author. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    createAjv().compile(schema as AnySchemaObject);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Equal schemas share a function. */
class SchemaTable {
  readonly #names = new Map<string, string>();
  readonly #schemas: JsonSchema[] = [];

  add(schema: JsonSchema): string {
    const key = JSON.stringify(schema);
    const known = this.#names.get(key);
    if (known) return known;
    // ajv gives its own functions names such as `validate20`.
    const name = `check${this.#schemas.length}`;
    this.#names.set(key, name);
    this.#schemas.push(schema);
    return name;
  }

  code(): string {
    if (this.#schemas.length === 0) return "";
    const ajv = createAjv();
    const exports: Record<string, string> = {};
    for (const [index, schema] of this.#schemas.entries()) {
      // An author's `$id` would name the schema; ours only tells the functions apart.
      const { $id: _id, ...rest } = schema;
      ajv.addSchema(rest as AnySchemaObject, `schema${index}`);
      exports[`check${index}`] = `schema${index}`;
    }
    let code = standalone.default(ajv, exports);
    const used = new Set<string>();
    for (const [call, name] of Object.entries(IMPORTS)) {
      if (!code.includes(call)) continue;
      code = code.replaceAll(call, name);
      used.add(name);
    }
    if (/\bformats\b/.test(code)) used.add("formats");
    if (/^const \w+ = uniqueItems;$/m.test(code)) used.add("uniqueItems");
    const names = [...used].sort().join(", ");
    const body = code
      .replace('"use strict";', "")
      .replaceAll(/^export const /gm, "const ")
      .replaceAll("export const", "const");
    return names ? `import { ${names} } from "@tenon/runtime/validation";\n${body}` : body;
  }
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    // A required `constructor` is not satisfied by the one that every object inherits.
    ownProperties: true,
    useDefaults: true,
    logger: false,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  // ajv compares each item with each; the runtime's own takes one look at each.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    error: { message: "must not hold the same item twice" },
    code: (context) => {
      if (context.schema !== true) return;
      const check = context.gen.scopeValue("func", { ref: areUnique, code: _`uniqueItems` });
      context.fail(_`!${check}(${context.data})`);
    },
  });
  // The real checks run in the server; here a format only has to be known by name.
  for (const name of CHECKED_FORMATS) ajv.addFormat(name, { type: "string", validate: () => true });
  return ajv;
}

/** For schemas of schemas, which are checked here; in the server, the runtime's own function takes its place. */
function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

/** A default documents a required member, but must not stand in for it when it is missing. */
function withoutRequiredDefaults(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (each) => {
    if (!each.properties || !each.required) return each;
    const properties = Object.fromEntries(
      Object.entries(each.properties).map(([name, property]) => {
        if (!each.required?.includes(name) || !("default" in property)) return [name, property];
        const { default: _default, ...rest } = property;
        return [name, rest];
      }),
    );
    return { ...each, properties };
  });
}

const NESTED = ["items", "additionalProperties", "not", "propertyNames"] as const;
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const MAPS = ["properties", "patternProperties", "$defs"] as const;

/** Applies a change to a schema and every schema inside it, innermost first. */
function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const copy: JsonSchema = { ...schema };
  for (const key of NESTED) {
    const inner = copy[key];
    if (typeof inner === "object") copy[key] = mapSchema(inner, change);
  }
  for (const key of LISTS) {
    const inner = copy[key];
    if (inner) copy[key] = inner.map((each) => mapSchema(each, change));
  }
  for (const key of MAPS) {
    const inner = copy[key];
    if (inner)
      copy[key] = Object.fromEntries(
        Object.entries(inner).map(([name, each]) => [name, mapSchema(each, change)]),
      );
  }
  return change(copy);
}
