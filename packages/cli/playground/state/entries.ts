import type { JsonSchema, Prompt, Resource, ResourceTemplate, Skill, Tool } from "@tenon/runtime/manifest";
import type { SourceLine, SourceLines } from "../../src/playground/page-messages.js";

/** The lists of a server. */
export interface Lists {
  tools: Tool[];
  prompts: Prompt[];
  resources: Resource[];
  templates: ResourceTemplate[];
  skills: Skill[];
}

export const NO_LISTS: Lists = { tools: [], prompts: [], resources: [], templates: [], skills: [] };

export type EntryKind = "tool" | "prompt" | "resource" | "template" | "skill";

/** A tool, prompt, resource, resource template, or skill. */
export interface Entry {
  kind: EntryKind;
  /** The name, URI, or URI template, which is unique within the kind. */
  key: string;
  name: string;
  title: string | undefined;
  description: string | undefined;
  line: SourceLine | undefined;
  /** The schema of its arguments. */
  schema: JsonSchema;
  definition: Tool | Prompt | Resource | ResourceTemplate | Skill;
}

/** Returns the entries of all lists. The files of skills are on the pages of their skills, unless they are generated. */
export function toEntries(
  { tools, prompts, resources, templates, skills }: Lists,
  lines: SourceLines,
): Entry[] {
  const files = new Set(
    skills.flatMap(({ resources }) => (resources === "dynamic" ? [] : resources.map(({ uri }) => uri))),
  );
  const entry = (
    kind: EntryKind,
    key: string,
    definition: Exclude<Entry["definition"], Skill>,
    schema: JsonSchema,
    line: SourceLine | undefined,
  ): Entry => {
    const { name, title, description } = definition;
    return { kind, key, name, title, description, line, schema, definition };
  };
  return [
    ...tools.map((each) => entry("tool", each.name, each, each.inputSchema, lines.tools[each.name])),
    ...prompts.map((each) =>
      entry("prompt", each.name, each, toPromptSchema(each), lines.prompts[each.name]),
    ),
    ...resources
      .filter(({ uri }) => !files.has(uri))
      .map((each) => entry("resource", each.uri, each, NO_ARGUMENTS, lines.resources[each.uri])),
    ...templates.map(({ uriTemplate, ...rest }) =>
      entry(
        "template",
        uriTemplate,
        { uriTemplate, ...rest },
        toTemplateSchema(uriTemplate),
        lines.resources[uriTemplate],
      ),
    ),
    ...skills.map((skill): Entry => {
      const { name, description } = skill.frontmatter;
      const common = { title: undefined, line: undefined, schema: NO_ARGUMENTS };
      return { kind: "skill", key: skill.uri, name, description, definition: skill, ...common };
    }),
  ];
}

/** Returns an entry for a resource that the server does not list. */
export function createUnlistedEntry(uri: string): Entry {
  const definition = { uri, name: uri };
  return {
    kind: "resource",
    key: uri,
    name: uri,
    title: undefined,
    description: undefined,
    line: undefined,
    schema: NO_ARGUMENTS,
    definition,
  };
}

const NO_ARGUMENTS: JsonSchema = { type: "object", properties: {} };

function toPromptSchema({ arguments: all = [] }: Prompt): JsonSchema {
  const properties = all.map(({ name, title, description }): [string, JsonSchema] => [
    name,
    { type: "string", ...(title && { title }), ...(description && { description }) },
  ]);
  const required = all.flatMap(({ name, required }) => (required ? [name] : []));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

const TEXT: JsonSchema = { type: "string" };

const TEXTS: JsonSchema = { type: "array", items: TEXT };

function toTemplateSchema(uriTemplate: string): JsonSchema {
  const variables = [...uriTemplate.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([whole, names = ""]) =>
    names.split(",").map((name) => ({
      name: name.replace(/(?::\d+|\*)$/, ""),
      schema: name.endsWith("*") ? TEXTS : TEXT,
      isOptional: /^\{[?&]/.test(whole),
    })),
  );
  return {
    type: "object",
    properties: Object.fromEntries(variables.map(({ name, schema }) => [name, schema])),
    required: variables.flatMap(({ name, isOptional }) => (isOptional ? [] : [name])),
  };
}

/** Returns the hash of an entry in the page's address. */
export function toHash({ kind, key }: Pick<Entry, "kind" | "key">): string {
  return `#${kind}/${encodeURIComponent(key)}`;
}
