/**
 * A class for what a living server lists: the way from definitions back to types.
 * @module
 */
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { type MethodDeclarationStructure, type OptionalKind, Project } from "ts-morph";
import { docComment, docText, tagsOf } from "./doc-source.js";
import {
  type DecoratorOptions,
  optionsText,
  promptOptions,
  resourceOptions,
  toolOptions,
} from "./option-source.js";
import { createTypeNames, methodName, type TypeNames } from "./type-names.js";
import { createTypeSource, declarationOf, propertyName } from "./type-source.js";

/** What a server lists. */
export interface ServerLists {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
}

/** What no type or comment says exactly, by `keyOf`: it is carried by options of the decorators. */
export interface Verbatim {
  readonly schemas: ReadonlySet<string>;
  readonly descriptions: ReadonlySet<string>;
}

/** @example keyOf("tool", "get_weather") // "tool get_weather" */
export function keyOf(kind: "tool" | "prompt" | "resource" | "resource template", name: string): string {
  return `${kind} ${name}`;
}

type Method = OptionalKind<MethodDeclarationStructure>;

/** What each method does until somebody writes it. */
const UNWRITTEN = `throw new Error("This is not written yet.");`;

/**
 * The source of a class whose derived definitions are those of the lists, as far as types can say them; its methods throw.
 * Whoever wants to be sure compiles it, and writes it again with what differed as `verbatim`.
 */
export function serverSource(lists: ServerLists, className: string, verbatim: Verbatim): string {
  const names = createTypeNames([className, "Prompt", "Resource", "Tool"]);
  const methods = new Set<string>();
  const declarations: string[] = [];
  const declare = (name: string, comment: string, text: string): void => {
    declarations.push(declarationOf(name, comment, text));
  };
  const named = (name: string): string => {
    let method = methodName(name);
    for (let count = 2; methods.has(method); count++) method = `${methodName(name)}${count}`;
    methods.add(method);
    return method;
  };
  const members = [
    ...lists.tools.map((tool) => toolMethod(tool, named(tool.name), verbatim, names, declare)),
    ...lists.prompts.map((prompt) => promptMethod(prompt, named(prompt.name), verbatim)),
    ...lists.resources.map((resource) => resourceMethod(resource, named(resource.name), verbatim)),
    ...lists.resourceTemplates.map((template) => resourceMethod(template, named(template.name), verbatim)),
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

function toolMethod(
  tool: Tool,
  method: string,
  verbatim: Verbatim,
  names: TypeNames,
  declare: (name: string, comment: string, text: string) => void,
): Method {
  const { inputSchema, outputSchema } = tool;
  const key = keyOf("tool", tool.name);
  const carriesSchemas = verbatim.schemas.has(key);
  // Tags would say again what the schemas say, and some say what no tag can.
  const tags = carriesSchemas ? () => [] : tagsOf;
  const hint = names.pascal(tool.name);
  const hasArguments = Object.keys(inputSchema.properties ?? {}).length > 0;
  const parameters: Method["parameters"] = [];
  if (hasArguments || carriesSchemas) {
    const name = names.fresh(`${hint}Arguments`);
    const input = createTypeSource(inputSchema, names, declare, tags);
    declare(name, docComment(inputSchema.description, []), `{\n${input.membersOf(inputSchema, hint)}}`);
    parameters.push({ name: "args", type: name });
  }
  const result = outputSchema === undefined ? "string" : resultType(outputSchema, hint, names, declare, tags);
  const own = toolOptions(tool, method, carriesSchemas);
  return {
    ...described(method, tool.description, [], verbatim.descriptions.has(key), "Tool", own),
    parameters,
    returnType: `Promise<${result}>`,
    isAsync: true,
  };
}

function resultType(
  schema: NonNullable<Tool["outputSchema"]>,
  hint: string,
  names: TypeNames,
  declare: (name: string, comment: string, text: string) => void,
  tags: (schema: JsonSchema) => readonly string[],
): string {
  const text = createTypeSource(schema, names, declare, tags).typeOf(schema, `${hint}Result`);
  const comment = docComment(schema.description, tags(schema));
  if (!text.startsWith("{") && comment === "") return text;
  const name = names.fresh(`${hint}Result`);
  declare(name, comment, text);
  return name;
}

function promptMethod(prompt: Prompt, method: string, verbatim: Verbatim): Method {
  const given = (prompt.arguments ?? []).toSorted(
    (a, b) => Number(b.required === true) - Number(a.required === true),
  );
  const isByName = given.every(({ name }) => propertyName(name) === name);
  const lines = given.flatMap(({ name, description }) =>
    description && isByName ? `@param ${name} ${description}` : [],
  );
  const members = given.map(({ name, description, required }) => {
    return `${docComment(description, [])}${propertyName(name)}${required === true ? "" : "?"}: string;\n`;
  });
  const carries = verbatim.descriptions.has(keyOf("prompt", prompt.name));
  return {
    ...described(method, prompt.description, lines, carries, "Prompt", promptOptions(prompt, method)),
    parameters: isByName
      ? given.map(({ name, required }) => ({ name, type: "string", hasQuestionToken: required !== true }))
      : [{ name: "args", type: `{\n${members.join("")}}` }],
    returnType: "string",
  };
}

function resourceMethod(resource: Resource | ResourceTemplate, method: string, verbatim: Verbatim): Method {
  const isTemplate = "uriTemplate" in resource;
  const uri = isTemplate ? resource.uriTemplate : resource.uri;
  const carries = verbatim.descriptions.has(
    keyOf(isTemplate ? "resource template" : "resource", resource.name),
  );
  const options = resourceOptions(resource, method);
  return {
    ...described(method, resource.description, [], carries, "Resource", options, uri),
    parameters: isTemplate ? variablesOf(uri).map((name) => ({ name, type: "string" })) : [],
    returnType: "string",
  };
}

/** @param carries the description is an option, because a comment would say something else */
function described(
  name: string,
  description: string | undefined,
  tags: readonly string[],
  carries: boolean,
  decorator: string,
  options: DecoratorOptions,
  uri?: string,
): Method {
  const comment = docText(carries ? undefined : description, tags);
  const text = optionsText(carries ? { ...options, description } : options);
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
    statements: [UNWRITTEN],
  };
}

/** The variables of a URI template, in its order. */
function variablesOf(uriTemplate: string): string[] {
  const expressions = [...uriTemplate.matchAll(/\{[+#./;?&]?([^}]*)\}/g)];
  return expressions.flatMap(([, list = ""]) => list.split(",").map((each) => each.replace(/[*:].*$/, "")));
}
