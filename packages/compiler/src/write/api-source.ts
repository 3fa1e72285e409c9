/**
 * Generates classes for an HTTP API: a method for each operation, with types from the API's schemas. The types have tags for
 * limits such as `minimum`, which openapi-typescript omits.
 * @module
 */
import type { JsonSchema, Tool } from "@tenon/runtime/manifest";
import type { MethodDeclarationStructure, OptionalKind } from "ts-morph";
import { Project } from "../typescript/typescript.js";
import { type Definitions, findTarget, withDefs } from "../json-schema/definitions.js";
import { writeDocComment, writeDocText, listTags } from "./doc-source.js";
import { writeOptions, getToolOptions } from "./option-source.js";
import { toDeclarationKey, type Verbatim } from "./server-source.js";
import { createTypeNames, TYPE_NAMES_IN_USE, type TypeNames } from "./type-names.js";
import { createTypeSource, toDeclaration, type TypeSource } from "./type-source.js";

/** A tool that calls an HTTP API. */
export interface ApiMethod {
  /** Its schemas refer to `definitions`. */
  readonly tool: Tool;
  readonly method: string;
  /** The pattern of the parameter, such as `{ petId, ...body }`. Undefined without arguments. */
  readonly parameter: string | undefined;
  /** The return type if there is no output schema: `string`, `Content`, `void`, `unknown`. */
  readonly result: string;
  /** The body of the method. The type of its result replaces `RESULT_TYPE`. */
  readonly statements: string;
}

/** A class and its file. */
export interface ApiClass {
  readonly name: string;
  readonly description: string | undefined;
  /** The path of the file, without the extension. */
  readonly file: string;
  readonly methods: readonly ApiMethod[];
}

/** The classes to write. */
export interface Api {
  readonly classes: readonly ApiClass[];
  /** The definitions for `#/$defs/…` in the tools' schemas. */
  readonly definitions: Definitions;
  /** The file that exports `ApiClient`, and the other names that the classes may import from it. */
  readonly client: { readonly file: string; readonly functions: readonly string[] };
  /** The file for types if there are several classes, without the extension. */
  readonly typesFile: string;
}

/** Returns a standalone tool, with the definitions that its schemas refer to. */
export function toStandaloneTool(tool: Tool, definitions: Definitions): Tool {
  const { inputSchema, outputSchema } = tool;
  return {
    ...tool,
    inputSchema: toStandaloneSchema(inputSchema, definitions) as Tool["inputSchema"],
    ...(outputSchema && {
      outputSchema: toStandaloneSchema(outputSchema, definitions) as NonNullable<Tool["outputSchema"]>,
    }),
  };
}

function toStandaloneSchema(schema: JsonSchema, definitions: Definitions): JsonSchema {
  return withDefs(findTarget(schema, definitions) ?? schema, definitions);
}

/** A placeholder in statements for the type of the method's result. */
export const RESULT_TYPE = "__RESULT__";

/**
 * Returns the sources of classes with tools that have the given definitions, to the extent that types can express them.
 * A single class has everything in its file. Several classes share a file for their types.
 *
 * @returns the text of each file, by name
 */
export function generateApiSource(api: Api, verbatim: Verbatim): ReadonlyMap<string, string> {
  const { classes, definitions, client, typesFile } = api;
  const names = createTypeNames([
    ...TYPE_NAMES_IN_USE,
    ...classes.map(({ name }) => name),
    ...["ApiClient", ...client.functions],
  ]);
  const declarations: string[] = [];
  const declare = (name: string, comment: string, text: string): void => {
    declarations.push(toDeclaration(name, comment, text));
  };
  const root: JsonSchema = { $defs: definitions };
  const types = createTypeSource(root, names, declare, listTags);
  const written = classes.map((each) => ({
    each,
    methods: each.methods.map((method) => {
      const isVerbatim = verbatim.schemas.has(toDeclarationKey("tool", method.tool.name));
      const tool = isVerbatim ? toStandaloneTool(method.tool, definitions) : method.tool;
      return createApiMethod(
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
    const identifiers = new Set(text.join(" ").match(/\w+/g));
    const usesContent = identifiers.has("Content");
    file.insertImportDeclarations(0, [
      { moduleSpecifier: "@tenon/runtime", namedImports: [...(usesContent ? ["type Content"] : []), "Tool"] },
      {
        moduleSpecifier: `./${client.file}.js`,
        namedImports: ["ApiClient", ...client.functions.filter((name) => identifiers.has(name))],
      },
      ...(isSplit && typeNames.some((name) => identifiers.has(name))
        ? [
            {
              moduleSpecifier: `./${typesFile}.js`,
              isTypeOnly: true,
              namedImports: typeNames.filter((name) => identifiers.has(name)).toSorted(),
            },
          ]
        : []),
    ]);
    file.addClass({
      name: each.name,
      isExported: true,
      ...(each.description && { docs: [writeDocText(each.description, [])] }),
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

/** Puts each parameter of a long signature on its own line. */
function withShortLines(text: string): string {
  return text.replaceAll(
    /^( +async \w+\()(.*), (signal: AbortSignal)(\): .* \{)$/gm,
    (line, ...parts: string[]) => {
      const [start = "", parameter = "", signal = "", end = ""] = parts;
      return line.length <= 110 ? line : `${start}\n    ${parameter},\n    ${signal},\n  ${end}`;
    },
  );
}

function createApiMethod(
  { tool, method, parameter, result, statements }: ApiMethod,
  verbatim: Verbatim,
  names: TypeNames,
  types: TypeSource,
  declare: (name: string, comment: string, text: string) => void,
): OptionalKind<MethodDeclarationStructure> {
  const key = toDeclarationKey("tool", tool.name);
  const carriesDescription = verbatim.descriptions.has(key);
  const hint = names.toPascalCase(method);
  const { inputSchema, outputSchema } = tool;
  const returned =
    outputSchema === undefined ? result : declareResult(outputSchema, hint, names, types, declare);
  // The type of a result is sufficient. Arguments must be exact.
  const { outputSchema: _, ...input } = tool;
  const own = getToolOptions(input, method, verbatim.schemas.has(key));
  const options = writeOptions(carriesDescription ? { ...own, description: tool.description } : own);
  const comment = writeDocText(carriesDescription ? undefined : tool.description, []);
  return {
    name: method,
    isAsync: true,
    ...(comment !== "" && { docs: [`\n${comment}`] }),
    decorators: [{ name: "Tool", arguments: options === undefined ? [] : [options] }],
    parameters: [
      ...(parameter === undefined
        ? []
        : [{ name: parameter, type: declareArguments(inputSchema, hint, names, types, declare) }]),
      { name: "signal", type: "AbortSignal" },
    ],
    returnType: `Promise<${returned}>`,
    statements: [statements.replaceAll(RESULT_TYPE, returned)],
  };
}

/** Returns the type of a result. One with members is declared under its own name, which is returned. */
function declareResult(
  schema: JsonSchema,
  hint: string,
  names: TypeNames,
  types: TypeSource,
  declare: (name: string, comment: string, text: string) => void,
): string {
  const text = types.toType(schema, `${hint}Result`);
  if (!text.includes("{")) return text;
  const name = names.create(`${hint}Result`);
  declare(name, "", text);
  return name;
}

function declareArguments(
  schema: JsonSchema,
  hint: string,
  names: TypeNames,
  types: TypeSource,
  declare: (name: string, comment: string, text: string) => void,
): string {
  if (schema.$ref !== undefined) return types.toType(schema, hint);
  const name = names.create(`${hint}Arguments`);
  declare(name, writeDocComment(schema.description, []), `{\n${types.toMembers(schema, hint)}}`);
  return name;
}
