import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { mapSchema } from "../../json-schema/walk.js";
import { validatorCode } from "./validator-code.js";

/**
 * The text of `validators.js`: one function per distinct schema, compiled ahead of time, so that a deployed server
 * neither loads a validator library nor generates code.
 *
 * @param cache the functions of an earlier module by the text of their schema; those of this one take their place
 */
export function validatorsModule(manifest: Manifest, cache = new Map<string, string>()): string {
  const names = new Map<string, string>();
  const nameOf = (schema: JsonSchema = { type: "object" }): string =>
    nameOfText(JSON.stringify(withoutRequiredDefaults(mapSchema(schema, withoutAnnotations))));
  /** Nobody fills defaults into what a handler returned, and what its type does not declare is left out of it. */
  const nameOfOutput = (schema: JsonSchema, isOpen: boolean): string => {
    const bare = mapSchema(schema, (each) => withoutDefault(withoutAnnotations(each)));
    return nameOfText(JSON.stringify(isOpen ? bare : declaredOnly(bare)));
  };
  const nameOfText = (text: string): string => {
    const name = names.get(text) ?? `code${names.size}`;
    names.set(text, name);
    return name;
  };
  const row = (key: string, value: string): string => `      ${JSON.stringify(key)}: ${value},\n`;
  const inputRow = (key: string, schema: JsonSchema | undefined): string =>
    row(key, `{ input: compiled(${nameOf(schema)}) }`);

  const tools = manifest.tools.map(({ definition, input, output }) => {
    const returned = output.schema ?? definition.outputSchema;
    const validators = [
      `input: compiled(${nameOf(input.schema ?? definition.inputSchema)})`,
      ...(returned ? [`output: compiled(${nameOfOutput(returned, output.openMembers === true)})`] : []),
    ];
    return row(definition.name, `{ ${validators.join(", ")} }`);
  });
  const prompts = manifest.prompts.map(({ definition, input }) => inputRow(definition.name, input.schema));
  const resourceTemplates = manifest.resourceTemplates.map(({ definition, input }) =>
    inputRow(definition.uriTemplate, input.schema),
  );
  const forms = Object.entries(manifest.forms ?? {}).map(([id, { schema }]) =>
    row(id, `compiled(${nameOf(schema)})`),
  );

  const codes = new Map(
    [...names.keys()].map((text) => [text, cache.get(text) ?? validatorCode(JSON.parse(text) as JsonSchema)]),
  );
  cache.clear();
  for (const [text, code] of codes) cache.set(text, code);
  const functions = [...names].map(
    ([text, name]) => `
const ${name} = (exports, check, equal, formats, ucs2length, uniqueItems) => {
${codes.get(text)}
};
`,
  );
  return `${functions.join("")}
/** @param compiled of the runtime's validation: this module imports nothing, so that no bundler need read it. */
export function createValidators(compiled) {
  return {
    tools: {
${tools.join("")}    },
    prompts: {
${prompts.join("")}    },
    resourceTemplates: {
${resourceTemplates.join("")}    },
    forms: {
${forms.join("")}    },
  };
}
`;
}

/** What is said about a value has no part in checking it. */
function withoutAnnotations({ title: _t, description: _d, examples: _e, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** The schema of a result that refuses members that are not declared, where any are: the runtime leaves them out. */
export function declaredOnly(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, withDeclaredMembers);
}

function withDeclaredMembers(schema: JsonSchema): JsonSchema {
  const { properties = {}, patternProperties, additionalProperties } = schema;
  const declares = Object.keys(properties).length > 0 || patternProperties !== undefined;
  return declares && additionalProperties === undefined ? { ...schema, additionalProperties: false } : schema;
}

function withoutDefault({ default: _default, ...schema }: JsonSchema): JsonSchema {
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
