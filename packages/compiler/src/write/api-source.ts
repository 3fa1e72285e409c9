/**
 * Classes for an HTTP API: a method for each operation, whose types are those of the API's schemas.
 * @module
 */
import type { JsonSchema, Tool } from "@tenon/runtime/manifest";
import { type MethodDeclarationStructure, type OptionalKind, Project } from "ts-morph";
import { schemasIn } from "../json-schema/walk.js";
import { docComment, docText, tagsOf } from "./doc-source.js";
import { optionsText, toolOptions } from "./option-source.js";
import { keyOf, type Verbatim } from "./server-source.js";
import { createTypeNames, TYPE_NAMES_IN_USE, type TypeNames } from "./type-names.js";
import { createTypeSource, isCompound, type TypeSource } from "./type-source.js";

/** A tool that asks an HTTP API. */
export interface ApiMethod {
  /** Its schemas refer to `definitions`. */
  readonly tool: Tool;
  readonly method: string;
  /** What is shown of the arguments in the signature, such as `{ petId, ...body }`; none where there are no arguments. */
  readonly parameter: string | undefined;
  /** What it returns where no output schema says it: `string`, `Content`, `void`, `unknown`. */
  readonly result: string;
  /** What the method does. The type of its result takes the place of `RESULT_TYPE`. */
  readonly statements: string;
}

/** A class, and the file that it is in. */
export interface ApiClass {
  readonly name: string;
  readonly description: string | undefined;
  /** Without the extension. */
  readonly file: string;
  readonly methods: readonly ApiMethod[];
}

/** What is to be written. */
export interface Api {
  readonly classes: readonly ApiClass[];
  /** What `#/$defs/…` in the tools' schemas refers to. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** The file that the classes take `ApiClient` from, and what else of it they may use. */
  readonly client: { readonly file: string; readonly functions: readonly string[] };
  /** The file for types where there are several classes, without the extension. */
  readonly typesFile: string;
}

/**
 * A tool by itself, with the definitions that its schemas refer to.
 */
export function wholeTool(tool: Tool, definitions: Readonly<Record<string, JsonSchema>>): Tool {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: wholeSchema(inputSchema, definitions) as Tool["inputSchema"],
    ...(outputSchema && {
      outputSchema: wholeSchema(outputSchema, definitions) as NonNullable<Tool["outputSchema"]>,
    }),
  };
}

function wholeSchema(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const used = new Map<string, JsonSchema>();
  const left: JsonSchema[] = [schema];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    for (const each of schemasIn(next)) {
      const name = each.$ref?.slice("#/$defs/".length);
      const definition = name === undefined ? undefined : definitions[name];
      if (name === undefined || definition === undefined || used.has(name)) continue;
      used.set(name, definition);
      left.push(definition);
    }
  }
  const target = schema.$ref === undefined ? schema : { ...definitions[schema.$ref.slice(8)] };
  return used.size === 0 ? target : { ...target, $defs: Object.fromEntries(used) };
}

/** Stands in statements for the type of the method's result. */
export const RESULT_TYPE = "__RESULT__";

/**
 * The sources of classes whose derived definitions are those of their tools, as far as types can say them. All in the file
 * of the class where there is one; otherwise the types have a file of their own.
 *
 * @returns texts by file name
 */
export function apiSource(api: Api, verbatim: Verbatim): ReadonlyMap<string, string> {
  const { classes, definitions, client, typesFile } = api;
  const names = createTypeNames([
    ...TYPE_NAMES_IN_USE,
    ...classes.map(({ name }) => name),
    ...["ApiClient", ...client.functions],
  ]);
  const declarations: string[] = [];
  const declare = (name: string, comment: string, text: string): void => {
    const isObject = text.startsWith("{") && text.endsWith("}") && !isCompound(text);
    declarations.push(
      `${comment}export ${isObject ? `interface ${name} ${text}` : `type ${name} = ${text};`}\n`,
    );
  };
  const root: JsonSchema = { $defs: definitions };
  const types = createTypeSource(root, names, declare, tagsOf);
  const written = classes.map((each) => ({
    each,
    methods: each.methods.map((method) => {
      const isVerbatim = verbatim.schemas.has(keyOf("tool", method.tool.name));
      const tool = isVerbatim ? wholeTool(method.tool, definitions) : method.tool;
      return apiMethod(
        { ...method, tool: { ...tool, outputSchema: method.tool.outputSchema } as Tool },
        verbatim,
        names,
        types,
        declare,
      );
    }),
  }));
  const project = new Project({ useInMemoryFileSystem: true });
  const isSplit = classes.length > 1;
  const texts = new Map<string, string>();
  const declared = declarations.join("\n");
  const typeNames = [...declared.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  if (isSplit) {
    const file = project.createSourceFile(`${typesFile}.ts`, declared);
    file.formatText({ indentSize: 2 });
    texts.set(`${typesFile}.ts`, file.getFullText());
  }
  for (const { each, methods } of written) {
    const file = project.createSourceFile(`${each.file}.ts`, isSplit ? "" : declared);
    const text = methods.map(({ returnType, parameters, statements }) =>
      [returnType, ...(parameters ?? []).map(({ type }) => type), statements].flat().join(" "),
    );
    const words = new Set(text.join(" ").match(/\w+/g));
    const usesContent = words.has("Content");
    file.insertImportDeclarations(0, [
      { moduleSpecifier: "@tenon/runtime", namedImports: [...(usesContent ? ["type Content"] : []), "Tool"] },
      {
        moduleSpecifier: `./${client.file}.js`,
        namedImports: ["ApiClient", ...client.functions.filter((name) => words.has(name))],
      },
      ...(isSplit && typeNames.some((name) => words.has(name))
        ? [
            {
              moduleSpecifier: `./${typesFile}.js`,
              isTypeOnly: true,
              namedImports: typeNames.filter((name) => words.has(name)).toSorted(),
            },
          ]
        : []),
    ]);
    file.addClass({
      name: each.name,
      isExported: true,
      ...(each.description && { docs: [docText(each.description, [])] }),
      properties: [{ name: "#api", isReadonly: true, type: "ApiClient" }],
      ctors: [
        {
          parameters: [{ name: "api", initializer: "new ApiClient()" }],
          statements: ["this.#api = api;"],
        },
      ],
      methods,
    });
    file.formatText({ indentSize: 2 });
    texts.set(`${each.file}.ts`, withShortLines(file.getFullText()));
  }
  return texts;
}

/** Long signatures have their parameters below each other. */
function withShortLines(text: string): string {
  return text.replaceAll(
    /^( +async \w+\()(.*), (signal: AbortSignal)(\): .* \{)$/gm,
    (line, ...parts: string[]) => {
      const [start = "", parameter = "", signal = "", end = ""] = parts;
      return line.length <= 110 ? line : `${start}\n    ${parameter},\n    ${signal},\n  ${end}`;
    },
  );
}

function apiMethod(
  { tool, method, parameter, result, statements }: ApiMethod,
  verbatim: Verbatim,
  names: TypeNames,
  types: TypeSource,
  declare: (name: string, comment: string, text: string) => void,
): OptionalKind<MethodDeclarationStructure> {
  const key = keyOf("tool", tool.name);
  const carriesDescription = verbatim.descriptions.has(key);
  const hint = names.pascal(method);
  const { inputSchema, outputSchema } = tool;
  const returned =
    outputSchema === undefined ? result : resultType(outputSchema, hint, names, types, declare);
  // What a result may hold is said by its type alone; what is sent must be exact.
  const { outputSchema: _, ...input } = tool;
  const own = toolOptions(input, method, verbatim.schemas.has(key));
  const options = optionsText(carriesDescription ? { ...own, description: tool.description } : own);
  const comment = docText(carriesDescription ? undefined : tool.description, []);
  return {
    name: method,
    isAsync: true,
    ...(comment !== "" && { docs: [`\n${comment}`] }),
    decorators: [{ name: "Tool", arguments: options === undefined ? [] : [options] }],
    parameters: [
      ...(parameter === undefined
        ? []
        : [{ name: parameter, type: argumentsType(inputSchema, hint, names, types, declare) }]),
      { name: "signal", type: "AbortSignal" },
    ],
    returnType: `Promise<${returned}>`,
    statements: [statements.replaceAll(RESULT_TYPE, returned)],
  };
}

/** What has members is declared under a name. */
function resultType(
  schema: JsonSchema,
  hint: string,
  names: TypeNames,
  types: TypeSource,
  declare: (name: string, comment: string, text: string) => void,
): string {
  const text = types.typeOf(schema, `${hint}Result`);
  if (!text.includes("{")) return text;
  const name = names.fresh(`${hint}Result`);
  declare(name, "", text);
  return name;
}

function argumentsType(
  schema: JsonSchema,
  hint: string,
  names: TypeNames,
  types: TypeSource,
  declare: (name: string, comment: string, text: string) => void,
): string {
  if (schema.$ref !== undefined) return types.typeOf(schema, hint);
  const name = names.fresh(`${hint}Arguments`);
  declare(name, docComment(schema.description, []), `{\n${types.membersOf(schema, hint)}}`);
  return name;
}
