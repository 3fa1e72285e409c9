import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { type AcceptingCompiler, createAcceptingCompiler } from "./boolean-validator.js";
import { isExplained } from "./explainable-keywords.js";
import type { FileTree } from "../file-tree.js";
import { mapSchema } from "../../json-schema/walk.js";
import { validatorFiles } from "./validator-files.js";
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
 * `validators.js`: one function per distinct schema, compiled ahead of time, so that a deployed server neither loads
 * a validator library nor generates code. Where they are many, they lie in files of their own beside it, which are
 * read when the first of their functions is called.
 *
 * @param memory what earlier modules of the project have needed; it saves time and changes no byte
 */
export function validatorModules(manifest: Manifest, memory = createValidatorMemory()): FileTree {
  const schemas = new SchemaTable();
  const inputOf = (schema: JsonSchema | undefined): number =>
    schemas.add(withoutRequiredDefaults(schema ?? { type: "object" }));
  const inputs = manifest.tools.map(({ definition, input }) =>
    inputOf(input.schema ?? definition.inputSchema),
  );
  const prompts = manifest.prompts.map(({ definition, input }): [string, number] => [
    definition.name,
    inputOf(input.schema),
  ]);
  const resourceTemplates = manifest.resourceTemplates.map(({ definition, input }): [string, number] => [
    definition.uriTemplate,
    inputOf(input.schema),
  ]);
  const forms = Object.entries(manifest.forms ?? {}).map(([id, { schema }]): [string, number] => [
    id,
    inputOf(schema),
  ]);
  // After all others, because a server in production never checks what its tools return. Whoever develops it finds
  // the problems of most results from the schema alone.
  const tools = manifest.tools.map(({ definition, output }, index): [string, [number, number?]] => {
    const result = output.schema ?? definition.outputSchema;
    const input = inputs[index] ?? 0;
    return [definition.name, result && !isExplained(result) ? [input, schemas.add(result)] : [input]];
  });
  const codes = schemas.codes(memory);
  const numbers = { tools, prompts, resourceTemplates, forms };
  return validatorFiles(numbers, codes);
}

/** Equal schemas share a function. */
class SchemaTable {
  readonly #numbers = new Map<string, number>();

  /** @returns the number of the schema's function */
  add(schema: JsonSchema): number {
    const key = JSON.stringify(mapSchema(schema, withoutWords));
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }

  /** By number. */
  codes(memory: ValidatorMemory): ValidatorCode[] {
    const codes = new Map<string, ValidatorCode>();
    let compile: AcceptingCompiler | undefined;
    for (const key of this.#numbers.keys()) {
      codes.set(key, memory.codes.get(key) ?? validatorCode(key, (compile ??= createAcceptingCompiler())));
    }
    memory.codes = codes;
    return [...codes.values()];
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
