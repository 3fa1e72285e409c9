import { findNearestName } from "@tenon/runtime/nearest-name";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import type { Declaration } from "../model.js";

/** The names of a server that skills can mention. */
export interface ServerNames {
  /** The names by which other programs know the server. */
  server: readonly string[];
  tools: ReadonlySet<string>;
  prompts: ReadonlySet<string>;
  /** URIs and URI templates, with the patterns of the URIs that they serve. */
  resources: ReadonlyMap<string, RegExp>;
  /** Names of arguments, properties, and values of enumerations, which skills also write as code. */
  words: ReadonlySet<string>;
  /** The served names of methods whose own name is different. */
  methods: ReadonlyMap<string, string>;
}

/**
 * Collects the names of a server.
 *
 * @param declarations all declarations in the sources, including those with errors, which skills may mention as well
 */
export function collectNames(manifest: Manifest, declarations: readonly Declaration[]): ServerNames {
  const named = (kind: Declaration["kind"]): string[] =>
    declarations.flatMap((each) => (each.kind === kind ? each.name.name : []));
  const { tools, prompts, resources, resourceTemplates, skillFiles = [] } = manifest;
  const words = new Set<string>();
  for (const { definition } of tools) {
    collectWords(definition.inputSchema, words);
    collectWords(definition.outputSchema, words);
  }
  for (const { definition } of prompts) for (const { name } of definition.arguments ?? []) words.add(name);
  for (const { definition, input } of resourceTemplates) {
    words.add(definition.name);
    collectWords(input.schema, words);
  }
  for (const { definition } of resources) words.add(definition.name);
  const uris = [
    ...resources.map(({ definition }) => definition.uri),
    ...resourceTemplates.map(({ definition }) => definition.uriTemplate),
    ...skillFiles.map(({ definition }) => definition.uri),
    ...declarations.flatMap((each) => (each.kind === "resource" ? each.uri : [])),
  ];
  return {
    server: [manifest.server.name, manifest.server.title ?? ""].filter(Boolean).map(normalize),
    tools: new Set([...tools.map(({ definition }) => definition.name), ...named("tool")]),
    prompts: new Set([...prompts.map(({ definition }) => definition.name), ...named("prompt")]),
    resources: new Map(uris.map((uri) => [uri, toPattern(uri)])),
    words,
    methods: new Map(
      declarations.flatMap(({ kind, name, methodName }) =>
        kind !== "resource" && name.name !== methodName ? [[methodName, name.name] as const] : [],
      ),
    ),
  };
}

/** Normalizes a name so that its spellings in different programs are equal, such as `My Weather` and `my_weather`. */
export function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

/** Returns the kind of a name. */
export function findKind(name: string, { tools, prompts }: ServerNames): "tool" | "prompt" | undefined {
  if (tools.has(name)) return "tool";
  return prompts.has(name) ? "prompt" : undefined;
}

/**
 * Returns the name that was probably intended: a similar one, or the one with the most words of `name`, as after a rename.
 *
 * @example
 * findIntendedName("forecast", ["get_forecast", "book"]) // "get_forecast"
 */
export function findIntendedName(name: string, candidates: Iterable<string>): string | undefined {
  const all = [...candidates];
  const nearest = findNearestName(name, all);
  if (nearest !== undefined) return nearest;
  const words = new Set(splitWords(name).filter((each) => each.length >= MIN_SHARED_LENGTH));
  const shared = all.map((each) => splitWords(each).filter((word) => words.has(word)).length);
  const max = Math.max(0, ...shared);
  return max > 0 ? all[shared.indexOf(max)] : undefined;
}

/** Shorter words, such as "get", are in many names. */
const MIN_SHARED_LENGTH = 4;

function splitWords(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

/** Returns the pattern of the URIs that a template serves, with any text in place of a variable. */
function toPattern(template: string): RegExp {
  const parts = template.split(/(\{[^{}]*\})/).map((part) => {
    if (!part.startsWith("{")) return part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");
    return /^\{[?&;#/]/.test(part) ? ".*" : ".+";
  });
  return new RegExp(`^${parts.join("")}$`);
}

function collectWords(schema: unknown, words: Set<string>): void {
  if (Array.isArray(schema)) for (const each of schema) collectWords(each, words);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const { properties, enum: values, const: value } = schema as JsonSchema;
  for (const name of Object.keys(properties ?? {})) words.add(name);
  for (const each of [...(values ?? []), value]) if (typeof each === "string") words.add(each);
  for (const each of Object.values(schema)) collectWords(each, words);
}
