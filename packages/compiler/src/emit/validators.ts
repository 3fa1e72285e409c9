import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { type AcceptingCompiler, createAcceptingCompiler } from "./accepting-validator.js";
import { mapSchema } from "./map-schema.js";
import { validatorCode, type ValidatorCode } from "./validator-code.js";

/** Validators by the text of their schema. What the last module did not use is gone. */
export interface ValidatorMemory {
  codes: ReadonlyMap<string, ValidatorCode>;
}

/** One for each project that stays loaded, so that only the schemas an edit has changed are compiled again. */
export function createValidatorMemory(): ValidatorMemory {
  return { codes: new Map() };
}

/**
 * The text of `validators.js`: one function per distinct schema, compiled ahead of time, so that a deployed
 * server neither loads a validator library nor generates code.
 *
 * @param memory what earlier modules of the project have needed; it saves time and changes no byte
 */
export function validatorsModule(manifest: Manifest, memory = createValidatorMemory()): string {
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
  return `${schemas.code(memory)}
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

/** Equal schemas share a function. */
class SchemaTable {
  readonly #names = new Map<string, string>();

  add(schema: JsonSchema): string {
    const key = JSON.stringify(mapSchema(schema, withoutWords));
    const name = this.#names.get(key) ?? `check${this.#names.size}`;
    this.#names.set(key, name);
    return name;
  }

  code(memory: ValidatorMemory): string {
    const codes = new Map<string, ValidatorCode>();
    const functions: string[] = [];
    const imports = new Set<string>();
    let compile: AcceptingCompiler | undefined;
    for (const [key, name] of this.#names) {
      const code = memory.codes.get(key) ?? validatorCode(key, (compile ??= createAcceptingCompiler()));
      codes.set(key, code);
      functions.push(`const ${name} = ${code.expression};\n`);
      for (const each of code.imports) imports.add(each);
    }
    memory.codes = codes;
    const header =
      imports.size > 0
        ? `import { ${[...imports].sort().join(", ")} } from "@tenon/runtime/validation";\n\n`
        : "";
    return `${header}${functions.join("\n")}`;
  }
}

/** What is said about a value has no part in checking it. */
function withoutWords({ title: _t, description: _d, examples: _e, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** A default documents a required member, but must not stand in for it when it is missing. */
export function withoutRequiredDefaults(schema: JsonSchema): JsonSchema {
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
