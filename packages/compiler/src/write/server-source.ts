/**
 * Generates a class from the lists of a running server: the inverse of deriving definitions from types.
 * @module
 */
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import type { MethodDeclarationStructure, OptionalKind } from "ts-morph";
import { mapSchema } from "../json-schema/walk.js";
import { Project } from "../typescript/typescript.js";
import { writeDocComment, writeDocText, listTags } from "./doc-source.js";
import {
  type DecoratorOptions,
  writeOptions,
  getPromptOptions,
  getResourceOptions,
  getToolOptions,
} from "./option-source.js";
import { areParameterNames } from "./parameter-names.js";
import { createTypeNames, toMethodName, TYPE_NAMES_IN_USE, type TypeNames } from "./type-names.js";
import { createTypeSource, toDeclaration, toPropertyName } from "./type-source.js";
import { readVariables } from "./uri-variables.js";

/** The lists of a server. */
export interface ServerLists {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  /** The choices for arguments of prompts, by the name of the prompt. Lists that clients see do not contain them. */
  readonly choices?: ReadonlyMap<string, PromptChoices>;
}

/** The choices for the arguments of a prompt, by name. Other arguments accept any text. */
export type PromptChoices = Readonly<Record<string, ArgumentChoices>>;

/** The choices for an argument of a prompt. */
export interface ArgumentChoices {
  readonly values: readonly string[];
  /** Whether the server suggests exactly these values, and not those of a callback. */
  readonly isSuggested: boolean;
}

/** Definitions that types and comments cannot express exactly, by `toDeclarationKey`. Decorator options carry them. */
export interface Verbatim {
  readonly schemas: ReadonlySet<string>;
  readonly descriptions: ReadonlySet<string>;
}

/**
 * Returns the key of a declaration in `Verbatim`.
 *
 * @example
 * toDeclarationKey("tool", "get_weather") // "tool get_weather"
 */
export function toDeclarationKey(
  kind: "tool" | "prompt" | "resource" | "resource template",
  name: string,
): string {
  return `${kind} ${name}`;
}

type Method = OptionalKind<MethodDeclarationStructure>;

/** The body of each method until it is implemented. */
const METHOD_BODY = `throw new Error("This is not implemented yet.");`;

/**
 * Returns the source of a class with the definitions of the lists, to the extent that types can express them. Its
 * methods throw. To get exact definitions, callers compile the source, and generate it again with the differences as
 * `verbatim`.
 */
export function generateServerSource(lists: ServerLists, className: string, verbatim: Verbatim): string {
  const names = createTypeNames([className, ...TYPE_NAMES_IN_USE]);
  const methods = new Set<string>();
  const declarations: string[] = [];
  const declare = (name: string, comment: string, text: string): void => {
    declarations.push(toDeclaration(name, comment, text));
  };
  const createMethodName = (name: string): string => {
    let method = toMethodName(name);
    for (let count = 2; methods.has(method); count++) method = `${toMethodName(name)}${count}`;
    methods.add(method);
    return method;
  };
  const members = [
    ...lists.tools.map((tool) =>
      createToolMethod(tool, createMethodName(tool.name), verbatim, names, declare),
    ),
    ...lists.prompts.map((prompt) => createPromptMethod(prompt, createMethodName(prompt.name), verbatim)),
    ...lists.resources.map((resource) =>
      createResourceMethod(resource, createMethodName(resource.name), verbatim),
    ),
    ...lists.resourceTemplates.map((template) =>
      createResourceMethod(template, createMethodName(template.name), verbatim),
    ),
  ];
  const used = ["Prompt", "Resource", "Tool"].filter((name) =>
    members.some(({ decorators = [] }) => decorators.some((each) => each.name === name)),
  );
  const project = new Project({ useInMemoryFileSystem: true });
  const file = project.createSourceFile("server.ts", declarations.join("\n"));
  file.insertImportDeclaration(0, { moduleSpecifier: "@tenon/runtime", namedImports: used });
  file.addClass({ name: className, isExported: true, methods: members });
  file.formatText({ indentSize: 2 });
  return file.getFullText();
}

function createToolMethod(
  tool: Tool,
  method: string,
  verbatim: Verbatim,
  names: TypeNames,
  declare: (name: string, comment: string, text: string) => void,
): Method {
  const key = toDeclarationKey("tool", tool.name);
  const hasVerbatimSchemas = verbatim.schemas.has(key);
  const { inputSchema, outputSchema } = hasVerbatimSchemas ? withoutTagText(tool) : tool;
  // Tags would repeat what the schemas contain, and cannot express all of it.
  const tags = hasVerbatimSchemas ? () => [] : listTags;
  const hint = names.toPascalCase(tool.name);
  const hasArguments = Object.keys(inputSchema.properties ?? {}).length > 0;
  const parameters: Method["parameters"] = [];
  if (hasArguments || hasVerbatimSchemas) {
    const name = names.create(`${hint}Arguments`);
    const input = createTypeSource(inputSchema, names, declare, tags);
    declare(name, writeDocComment(inputSchema.description, []), `{\n${input.toMembers(inputSchema, hint)}}`);
    parameters.push({ name: "args", type: name });
  }
  const result =
    outputSchema === undefined ? "string" : declareResult(outputSchema, hint, names, declare, tags);
  const own = getToolOptions(tool, method, hasVerbatimSchemas);
  return {
    ...createMethod(method, tool.description, [], verbatim.descriptions.has(key), "Tool", own),
    parameters,
    returnType: `Promise<${result}>`,
    isAsync: true,
  };
}

/** Removes descriptions that comments would turn into tags. The options of the decorator contain them. */
function withoutTagText({ inputSchema, outputSchema }: Tool): Pick<Tool, "inputSchema" | "outputSchema"> {
  const change = ({ description, ...others }: JsonSchema): JsonSchema =>
    description === undefined || /(?:^|\s)@\w/.test(description) ? others : { description, ...others };
  return {
    inputSchema: mapSchema(inputSchema, change) as Tool["inputSchema"],
    ...(outputSchema && { outputSchema: mapSchema(outputSchema, change) as Tool["outputSchema"] }),
  } as Pick<Tool, "inputSchema" | "outputSchema">;
}

function declareResult(
  schema: NonNullable<Tool["outputSchema"]>,
  hint: string,
  names: TypeNames,
  declare: (name: string, comment: string, text: string) => void,
  tags: (schema: JsonSchema) => readonly string[],
): string {
  const text = createTypeSource(schema, names, declare, tags).toType(schema, `${hint}Result`);
  const comment = writeDocComment(schema.description, tags(schema));
  if (!text.startsWith("{") && comment === "") return text;
  const name = names.create(`${hint}Result`);
  declare(name, comment, text);
  return name;
}

function createPromptMethod(prompt: Prompt, method: string, verbatim: Verbatim): Method {
  const given = (prompt.arguments ?? []).toSorted(
    (a, b) => Number(b.required === true) - Number(a.required === true),
  );
  const isByName = areParameterNames(given.map(({ name }) => name));
  const lines = given.flatMap(({ name, description }) =>
    description && isByName ? `@param ${name} ${description}` : [],
  );
  const members = given.map(({ name, description, required }) => {
    return `${writeDocComment(description, [])}${toPropertyName(name)}${required === true ? "" : "?"}: string;\n`;
  });
  const hasVerbatimDescription = verbatim.descriptions.has(toDeclarationKey("prompt", prompt.name));
  return {
    ...createMethod(
      method,
      prompt.description,
      lines,
      hasVerbatimDescription,
      "Prompt",
      getPromptOptions(prompt, method),
    ),
    parameters: isByName
      ? given.map(({ name, required }) => ({ name, type: "string", hasQuestionToken: required !== true }))
      : [{ name: "args", type: `{\n${members.join("")}}` }],
    returnType: "string",
  };
}

function createResourceMethod(
  resource: Resource | ResourceTemplate,
  method: string,
  verbatim: Verbatim,
): Method {
  const isTemplate = "uriTemplate" in resource;
  const uri = isTemplate ? resource.uriTemplate : resource.uri;
  const hasVerbatimDescription = verbatim.descriptions.has(
    toDeclarationKey(isTemplate ? "resource template" : "resource", resource.name),
  );
  const options = getResourceOptions(resource, method);
  const variables = new Map(
    readVariables(isTemplate ? uri : "").map(({ name, isList }) => [name, isList ? "string[]" : "string"]),
  );
  const parameters = Array.from(variables, ([name, type]) => ({ name, type }));
  const members = parameters.map(({ name, type }) => `${toPropertyName(name)}: ${type};\n`);
  return {
    ...createMethod(method, resource.description, [], hasVerbatimDescription, "Resource", options, uri),
    parameters: areParameterNames(variables.keys())
      ? parameters
      : [{ name: "args", type: `{\n${members.join("")}}` }],
    returnType: "string",
  };
}

/**
 * Creates a method with its comment and decorator.
 *
 * @param hasVerbatimDescription whether the description is an option, because a comment would change it
 */
function createMethod(
  name: string,
  description: string | undefined,
  tags: readonly string[],
  hasVerbatimDescription: boolean,
  decorator: string,
  options: DecoratorOptions,
  uri?: string,
): Method {
  const comment = writeDocText(hasVerbatimDescription ? undefined : description, tags);
  const text = writeOptions(hasVerbatimDescription ? { ...options, description } : options);
  return {
    name,
    ...(comment !== "" && { docs: [`\n${comment}`] }),
    decorators: [
      {
        name: decorator,
        arguments: [
          ...(uri === undefined ? [] : [JSON.stringify(uri)]),
          ...(text === undefined ? [] : [text]),
        ],
      },
    ],
    statements: [METHOD_BODY],
  };
}
