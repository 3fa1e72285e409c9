import { createHash } from "node:crypto";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { mapSchema } from "../../json-schema/walk.js";
import { writePropertyName } from "./property-name.js";
import { fillUnionDefaults } from "./union-defaults.js";
import { createValidatorCompiler } from "./validator-code.js";

/** Kinds of declarations with validators, as in the runtime's `Validators`. */
export type ValidatedKind = "tools" | "prompts" | "resourceTemplates" | "forms";

/** Modules with the validators of a manifest. */
export interface ValidatorModules {
  /** Source code by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** Names of files by kind and name of the declaration. */
  readonly fileNames: Readonly<Record<ValidatedKind, ReadonlyMap<string, string>>>;
}

/** Maximum size of a module with several declarations. The first call to a tool waits for its module. */
const MAX_MODULE_CHARACTERS = 65_536;

/** The schemas of one declaration, as JSON. */
interface DeclaredSchemas {
  readonly kind: ValidatedKind;
  readonly name: string;
  readonly input: string;
  readonly output?: string | undefined;
}

/**
 * Returns the modules of all validators: a function per distinct schema, compiled ahead of time, so that a deployed server
 * neither loads a validator library nor generates code. The server loads a module before the first call that needs it. The
 * name of a module contains a hash of its text, so that a server never loads the validators of another build.
 *
 * @param cache functions of earlier modules by the text of their schema, replaced by those of the new modules
 */
export function createValidatorModules(
  manifest: Manifest,
  cache = new Map<string, string>(),
): ValidatorModules {
  const declared = listDeclarations(manifest);
  const texts = new Set(declared.flatMap(({ input, output }) => [input, output ?? []].flat()));
  const compile = createValidatorCompiler();
  const codes = new Map([...texts].map((text) => [text, cache.get(text) ?? compile(text)]));
  cache.clear();
  for (const [text, code] of codes) cache.set(text, code);

  const files = new Map<string, string>();
  const fileNames: Record<ValidatedKind, Map<string, string>> = {
    tools: new Map(),
    prompts: new Map(),
    resourceTemplates: new Map(),
    forms: new Map(),
  };
  for (const group of groupDeclarations(declared, codes)) {
    const text = writeModule(group, codes);
    const name = `validators-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`;
    files.set(name, text);
    for (const each of group) fileNames[each.kind].set(each.name, name);
  }
  return { files, fileNames };
}

/** Returns all declarations with validators. Those that any call may need come first, so that they share few modules. */
function listDeclarations({ tools, prompts, resourceTemplates, forms = {} }: Manifest): DeclaredSchemas[] {
  return [
    ...resourceTemplates.map(({ definition, input }): DeclaredSchemas => {
      return { kind: "resourceTemplates", name: definition.uriTemplate, input: toInputText(input.schema) };
    }),
    ...Object.entries(forms).map(([name, { schema }]): DeclaredSchemas => {
      return { kind: "forms", name, input: toInputText(schema) };
    }),
    ...prompts.map(({ definition, input }): DeclaredSchemas => {
      return { kind: "prompts", name: definition.name, input: toInputText(input.schema) };
    }),
    ...tools.map(({ definition, input, output }): DeclaredSchemas => {
      const returned = output.schema ?? definition.outputSchema;
      return {
        kind: "tools",
        name: definition.name,
        input: toInputText(input.schema ?? definition.inputSchema),
        output: returned && toOutputText(returned, output.openMembers === true),
      };
    }),
  ];
}

/** Distributes declarations to modules in order. */
function groupDeclarations(
  declared: readonly DeclaredSchemas[],
  codes: ReadonlyMap<string, string>,
): DeclaredSchemas[][] {
  const groups: DeclaredSchemas[][] = [];
  let texts = new Set<string>();
  let size = Infinity;
  for (const each of declared) {
    const own = [each.input, each.output ?? []].flat();
    const getSize = (text: string): number => (texts.has(text) ? 0 : (codes.get(text)?.length ?? 0));
    size += own.reduce((sum, text) => sum + getSize(text), 0);
    if (size > MAX_MODULE_CHARACTERS) {
      groups.push([]);
      texts = new Set();
      size = own.reduce((sum, text) => sum + getSize(text), 0);
    }
    for (const text of own) texts.add(text);
    groups.at(-1)?.push(each);
  }
  return groups;
}

function writeModule(declared: readonly DeclaredSchemas[], codes: ReadonlyMap<string, string>): string {
  const names = new Map<string, string>();
  const toCompiledCall = (text: string): string => {
    const name = names.get(text) ?? `code${names.size}`;
    names.set(text, name);
    return `compiled(${name})`;
  };
  const writeRows = (kind: ValidatedKind): string =>
    declared
      .filter((each) => each.kind === kind)
      .map(({ name, input, output }) => {
        const members = [
          `input: ${toCompiledCall(input)}`,
          ...(output ? [`output: ${toCompiledCall(output)}`] : []),
        ];
        return `      ${writePropertyName(name)}: { ${members.join(", ")} },\n`;
      })
      .join("");
  const returned = `/** @param compiled the runtime's functions for validation, passed so that this module imports nothing and bundlers can skip it */
export function createValidators(compiled) {
  return {
    tools: {
${writeRows("tools")}    },
    prompts: {
${writeRows("prompts")}    },
    resourceTemplates: {
${writeRows("resourceTemplates")}    },
    forms: {
${writeRows("forms")}    },
  };
}
`;
  const functions = [...names].map(
    ([text, name]) => `
const ${name} = (exports, check, equal, formats, ucs2length, uniqueItems, isMultiple) => {
${codes.get(text)}
};
`,
  );
  return `${functions.join("")}
${returned}`;
}

function toInputText(schema: JsonSchema = { type: "object" }): string {
  return JSON.stringify(fillUnionDefaults(withoutRequiredDefaults(mapSchema(schema, withoutAnnotations))));
}

/** Returns the schema of a result, without defaults. Undeclared members are rejected unless the schema is open. */
function toOutputText(schema: JsonSchema, isOpen: boolean): string {
  const bare = mapSchema(schema, (each) => withoutDefault(withoutAnnotations(each)));
  return JSON.stringify(isOpen ? bare : rejectUndeclared(bare));
}

/** Removes annotations, which do not affect validation. */
function withoutAnnotations({ title: _t, description: _d, examples: _e, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Rejects members that a result's type does not declare, if it declares any. The runtime then omits them. */
export function rejectUndeclared(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, closeObject);
}

function closeObject(schema: JsonSchema): JsonSchema {
  const { properties = {}, patternProperties, additionalProperties } = schema;
  const hasDeclaredMembers = Object.keys(properties).length > 0 || patternProperties !== undefined;
  return hasDeclaredMembers && additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;
}

function withoutDefault({ default: _default, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Removes defaults of required members, which must not replace missing values. */
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
