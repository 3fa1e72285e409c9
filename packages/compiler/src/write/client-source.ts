/**
 * A typed client for what a living server lists: types from its schemas, and what calls it.
 * @module
 */
import type { JsonSchema, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { Project } from "ts-morph";
import { CLIENT_NAMES_IN_USE, clientRuntime, fingerprintSource } from "./client-runtime.js";
import { docComment, functionComment } from "./doc-source.js";
import type { ServerLists } from "./server-source.js";
import { fingerprintOf } from "./tool-fingerprint.js";
import { createTypeNames, type TypeNames } from "./type-names.js";
import { createTypeSource, declarationOf, propertyName } from "./type-source.js";

/** What the module says of where it comes from. */
export interface ClientOrigin {
  readonly name: string;
  readonly version: string;
  /** Where to connect when nothing else is said. */
  readonly url?: string;
  /** How the server spoke: its lists may differ by that. */
  readonly era: "modern" | "legacy";
}

/**
 * The source of a module with a typed client for a server. It compiles under any options, and imports the official client
 * alone.
 */
export function clientSource(lists: ServerLists, origin: ClientOrigin): string {
  const names = createTypeNames(CLIENT_NAMES_IN_USE);
  const declarations: string[] = [];
  const declare = (name: string, comment: string, text: string): void => {
    declarations.push(declarationOf(name, comment, text));
  };
  const resources = namedResources(lists);
  const members = {
    Tools: lists.tools.map((tool) => toolMember(tool, names, declare)),
    Prompts: lists.prompts.map((prompt) => promptMember(prompt)),
    Resources: resources.map(([key, resource]) => resourceMember(key, resource)),
  };
  const interfaces = Object.entries(members).map(([name, lines]) => {
    return `/** The ${name.toLowerCase()} of the server, by name. */\nexport interface ${name} {\n${lines.join("")}}\n`;
  });
  const text = [
    heading(origin),
    clientRuntime.imports,
    ...declarations,
    ...interfaces,
    tables(lists, resources, origin),
    clientRuntime.body,
    fingerprintSource(),
  ].join("\n");
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile("client.ts", text);
  file.formatText({ indentSize: 2 });
  return file.getFullText();
}

function heading({ name, version, url }: ClientOrigin): string {
  const where = url === undefined ? "" : ` from ${url}`;
  const said = `${[name, version].join(" ").trim()} as a typed client. Made by \`tenon types\`${where}: make it again rather than edit it.`;
  return `${docComment(`${said}\n\n@module`, [])}`;
}

type Declare = (name: string, comment: string, text: string) => void;

function toolMember(tool: Tool, names: TypeNames, declare: Declare): string {
  const { name, description, inputSchema, outputSchema } = tool;
  const hint = names.pascal(name);
  const given = argumentsOf(inputSchema, hint, names, declare);
  const result =
    outputSchema === undefined
      ? "Content"
      : declared(outputSchema, names.fresh(`${hint}Result`), names, declare);
  return `${functionComment(description)}${methodKey(name)}(${[...given, "options?: CallOptions"].join(", ")}): Promise<${result}>;\n`;
}

function argumentsOf(schema: JsonSchema, hint: string, names: TypeNames, declare: Declare): string[] {
  const { properties = {}, required = [], additionalProperties, anyOf, oneOf, allOf, $ref } = schema;
  const isOpen = typeof additionalProperties === "object" || additionalProperties === true;
  const isCombined = (anyOf ?? oneOf ?? allOf ?? $ref) !== undefined;
  if (Object.keys(properties).length === 0 && !isOpen && !isCombined) return ["args?: Record<string, never>"];
  const name = names.fresh(`${hint}Arguments`);
  const type = declared({ ...schema, type: "object" }, name, names, declare);
  return [
    `args${required.length === 0 && !isCombined ? "?" : ""}: ${type === "unknown" ? "Record<string, unknown>" : type}`,
  ];
}

/** The type of a whole schema: by its own name where it is an object, or else as it is. */
function declared(schema: JsonSchema, name: string, names: TypeNames, declare: Declare): string {
  const text = createTypeSource(schema, names, declare, encodingOf, "string").typeOf(schema, name);
  if (!text.startsWith("{")) return text;
  declare(name, docComment(schema.description, []), text);
  return name;
}

/** What the type of a text does not say: values travel as they are. */
function encodingOf({ contentEncoding }: JsonSchema): string[] {
  return contentEncoding === "base64" ? ["@contentEncoding base64"] : [];
}

function promptMember({ name, description, arguments: given = [] }: Prompt): string {
  const members = given.map((each) => {
    return `${docComment(each.description, [])}${propertyName(each.name)}${each.required === true ? "" : "?"}: string;\n`;
  });
  const mark = given.some(({ required }) => required === true) ? "" : "?";
  const type = members.length === 0 ? "Record<string, never>" : `{\n${members.join("")}}`;
  return `${functionComment(description)}${methodKey(name)}(args${mark}: ${type}, options?: CallOptions): Promise<PromptMessage[]>;\n`;
}

function resourceMember(key: string, resource: Resource | ResourceTemplate): string {
  const { description } = resource;
  const variables = "uriTemplate" in resource ? variablesOf(resource.uriTemplate) : [];
  const members = variables.map(({ name, isOptional, isList }) => {
    return `${propertyName(name)}${isOptional ? "?" : ""}: ${isList ? "string | string[]" : "string"}`;
  });
  const type = members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
  const mark = variables.every(({ isOptional }) => isOptional) ? "?" : "";
  return `${functionComment(description)}${methodKey(key)}(variables${mark}: ${type}, options?: CallOptions): Promise<ResourceContents[]>;\n`;
}

interface Variable {
  readonly name: string;
  /** In a query, what is not given is left out. */
  readonly isOptional: boolean;
  readonly isList: boolean;
}

function variablesOf(uriTemplate: string): Variable[] {
  const expressions = [...uriTemplate.matchAll(/\{([+#./;?&]?)([^}]*)\}/g)];
  return expressions.flatMap(([, operator = "", list = ""]) =>
    list.split(",").map((each) => ({
      name: each.replace(/[*:].*$/, ""),
      isOptional: operator === "?" || operator === "&",
      isList: each.endsWith("*"),
    })),
  );
}

/** Resources and templates by their names; where two have the same, by their URIs. */
function namedResources({
  resources,
  resourceTemplates,
}: ServerLists): [string, Resource | ResourceTemplate][] {
  const all = [...resources, ...resourceTemplates];
  return all.map((resource) => {
    const isOnly = all.filter(({ name }) => name === resource.name).length === 1;
    return [isOnly ? resource.name : uriOf(resource), resource];
  });
}

function uriOf(resource: Resource | ResourceTemplate): string {
  return "uriTemplate" in resource ? resource.uriTemplate : resource.uri;
}

function tables(
  lists: ServerLists,
  resources: readonly [string, Resource | ResourceTemplate][],
  { url, era }: ClientOrigin,
): string {
  const rows = (list: readonly unknown[]): string =>
    list.map((each) => `${JSON.stringify(each)},\n`).join("");
  const tools = lists.tools.map((tool) => [tool.name, tool.outputSchema !== undefined, fingerprintOf(tool)]);
  const uris = resources.map(([key, resource]) => [key, uriOf(resource)]);
  return [
    `/** Where the server was when this was made. */\nexport const MADE_FROM: string | undefined = ${url === undefined ? "undefined" : JSON.stringify(url)};\n`,
    `const ERA: "auto" | "legacy" = ${JSON.stringify(era === "modern" ? "auto" : "legacy")};`,
    `/** Each tool by name, whether its result is data, and what its types were made of. */`,
    `const TOOLS: readonly (readonly [string, boolean, string])[] = [\n${rows(tools)}];`,
    `const PROMPTS: readonly string[] = ${JSON.stringify(lists.prompts.map(({ name }) => name))};`,
    `const RESOURCES: readonly (readonly [string, string])[] = [\n${rows(uris)}];\n`,
  ].join("\n");
}

/** In an interface, some words begin something else than a method. */
function methodKey(name: string): string {
  return name === "new" || name === "constructor" ? JSON.stringify(name) : propertyName(name);
}
