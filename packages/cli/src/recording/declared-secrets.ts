import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { hasSecrets, listSecretTexts, MASK, withoutSecrets } from "@tenon/runtime/secrets";
import { parseUriTemplate } from "@tenon/runtime/uri-template";
import { formatSegment } from "../compare/json/json-pointer.js";
import type { JsonRpcMessage } from "./format.js";

/** The secrets in the messages of clients, as the author's `@secret` tags declare them. */
export interface DeclaredSecrets {
  /** Returns whether an argument of this name, or an item of it, is secret. */
  isSecretArgument(name: string): boolean;
  /** Returns whether a type has a member of this name. Other names in a secret value are secret, such as the keys of a record. */
  isMemberName(name: string): boolean;
  /**
   * Finds the secrets of a request.
   *
   * @param pointer a JSON Pointer to the message, with which the returned pointers begin
   */
  find(message: JsonRpcMessage, pointer?: string): FoundSecrets;
}

/** The secrets of one request. */
export interface FoundSecrets {
  /** JSON Pointers to values that are secret, with everything in them. */
  pointers: string[];
  /** Secrets that are parts of a string, such as the variables of a URI. */
  parts: string[];
}

/** Represents the schema of an unknown tool, prompt, or resource, any argument of which may be a secret. */
const ALL_SECRET: JsonSchema = { additionalProperties: { writeOnly: true } };

/**
 * Reads the `@secret` tags of a server.
 *
 * @example
 * readDeclaredSecrets(manifest).find({ method: "tools/call", params: { name: "login", arguments: { pin: 1 } } })
 * // { pointers: ["/params/arguments/pin"], parts: [] }
 */
export function readDeclaredSecrets({
  tools,
  prompts,
  resources,
  resourceTemplates,
}: Manifest): DeclaredSecrets {
  const toolSchemas = new Map(
    tools.map(({ definition, input }) => [definition.name, input.schema ?? definition.inputSchema]),
  );
  const promptSchemas = new Map(
    prompts.map(({ definition, input }) => [definition.name, input.schema ?? {}]),
  );
  const templateSchemas = new Map(
    resourceTemplates.map(({ definition, input }) => [definition.uriTemplate, input.schema ?? {}]),
  );
  const known = new Set(resources.map(({ definition }) => definition.uri));
  const all: JsonSchema[] = [...toolSchemas, ...promptSchemas, ...templateSchemas].map(
    ([, schema]) => schema,
  );
  const members = all.flatMap((schema) => listMembers(schema));
  const memberNames = new Set(members.map(({ name }) => name));
  const secretNames = new Set(members.flatMap(({ name, isSecret }) => (isSecret ? name : [])));
  const templates = [...templateSchemas].map(([text, schema]) => ({ schema, ...parseUriTemplate(text) }));
  const hasSecretTemplates = templates.some(({ schema }) => hasSecrets(schema));
  const getSchema = (schemas: ReadonlyMap<unknown, JsonSchema>, key: unknown): JsonSchema =>
    schemas.get(key) ?? (all.some(hasSecrets) ? ALL_SECRET : {});

  const findInUri = (uri: unknown, pointer: string): FoundSecrets => {
    if (typeof uri !== "string" || known.has(uri) || templateSchemas.has(uri) || !hasSecretTemplates)
      return { pointers: [], parts: [] };
    const matching = templates.flatMap(({ match, schema }) => {
      const variables = match(uri);
      return variables === undefined ? [] : { variables, schema };
    });
    // A URI that matches nothing may be a misspelled one with a secret.
    if (matching.length > 0 && !matching.some(({ schema }) => hasSecrets(schema)))
      return { pointers: [], parts: [] };
    const parts = matching.flatMap(({ variables, schema }) =>
      listMasked(variables, withoutSecrets(schema, variables, [])).flatMap(({ value }) =>
        listSpellings(value),
      ),
    );
    return { pointers: [pointer], parts };
  };
  const findInArguments = (args: unknown, schema: JsonSchema, pointer: string): FoundSecrets => {
    const masked = listMasked(args, withoutSecrets(schema, args, []));
    // A response may repeat the secrets in an object that the client sent as JSON in a string.
    const containsJson = masked.length > 0 && /"\s*[[{]/.test(JSON.stringify(args));
    const inJson = containsJson ? listSecretTexts(schema, args).filter((each) => !BOOLEAN.test(each)) : [];
    const converted = [...masked.map(({ value }) => value), ...inJson].flatMap(listConversions);
    const parts = [...inJson, ...converted];
    return { pointers: masked.map((each) => pointer + each.pointer), parts };
  };
  const findInCompletion = (params: Record<string, unknown>, pointer: string): FoundSecrets => {
    const { uri, name } = toMembers(params["ref"]);
    const argument = toMembers(params["argument"]);
    const schema = uri === undefined ? getSchema(promptSchemas, name) : getSchema(templateSchemas, uri);
    const value = { [String(argument["name"])]: argument["value"] };
    const { pointers, parts } = findInArguments(value, schema, "");
    return merge([
      { pointers: pointers.length > 0 ? [`${pointer}/argument/value`] : [], parts },
      findInArguments(toMembers(params["context"])["arguments"], schema, `${pointer}/context/arguments`),
      findInUri(uri, `${pointer}/ref/uri`),
    ]);
  };

  return {
    isSecretArgument: (name) => secretNames.has(name),
    isMemberName: (name) => memberNames.has(name),
    find: ({ method, params }, pointer = "") => {
      const { name, uri, arguments: args, notifications } = params ?? {};
      const at = `${pointer}/params`;
      if (method === "tools/call")
        return findInArguments(args, getSchema(toolSchemas, name), `${at}/arguments`);
      if (method === "prompts/get")
        return findInArguments(args, getSchema(promptSchemas, name), `${at}/arguments`);
      if (method === "completion/complete") return findInCompletion(params ?? {}, at);
      const { resourceSubscriptions: uris } = toMembers(notifications);
      const subscribed = Array.isArray(uris) ? uris : [];
      return merge([
        findInUri(uri, `${at}/uri`),
        ...subscribed.map((each, index) =>
          findInUri(each, `${at}/notifications/resourceSubscriptions/${index}`),
        ),
      ]);
    },
  };
}

/** Returns the texts that differ from a string if the server converts it to a URL, a date, or a number. */
function listConversions(value: unknown): string[] {
  if (typeof value !== "string") return [];
  const time = ISO_TIME.test(value) ? Date.parse(value) : NaN;
  const texts = [
    URL.canParse(value) ? new URL(value).href : value,
    Number.isNaN(time) ? value : new Date(time).toISOString(),
    String(Number(value)),
  ];
  return texts.filter((each) => each !== value && each.length >= MIN_CONVERTED_CHARACTERS);
}

const ISO_TIME = /^\d{4}-\d\d-\d\d[Tt ]/;

/** Minimum length of a converted secret. A shorter one may be an ordinary word or number, such as `NaN`. */
const MIN_CONVERTED_CHARACTERS = 4;

const BOOLEAN = /^(?:true|false)$/;

/** Lists the members that a schema describes. A member is secret if it, or an item of it, has the tag. */
function listMembers(schema: JsonSchema): { name: string; isSecret: boolean }[] {
  const found: { name: string; isSecret: boolean }[] = [];
  /** @param name the name of the member that contains the schema */
  const visit = (node: unknown, name: string | undefined): void => {
    if (typeof node !== "object" || node === null) return;
    const { properties = {}, writeOnly, ...others } = node as JsonSchema;
    if (writeOnly === true && name !== undefined) found.push({ name, isSecret: true });
    for (const [member, each] of Object.entries(properties)) {
      found.push({ name: member, isSecret: false });
      visit(each, member);
    }
    for (const each of Object.values(others)) visit(each, name);
  };
  visit(schema, undefined);
  return found;
}

/** Lists the values that are masked in a copy, with JSON Pointers to them. */
function listMasked(value: unknown, copy: unknown, pointer = ""): { pointer: string; value: unknown }[] {
  if (value === copy) return [];
  if (copy === MASK || typeof value !== "object" || value === null) return [{ pointer, value }];
  return Object.entries(value).flatMap(([name, each]) =>
    listMasked(each, toMembers(copy)[name], `${pointer}/${formatSegment(name)}`),
  );
}

/** Returns a part of a URI in its plain and in its percent-encoded form. */
function listSpellings(part: unknown): string[] {
  const text = String(part);
  return [text, encodeURIComponent(text)];
}

function merge(found: readonly FoundSecrets[]): FoundSecrets {
  return {
    pointers: found.flatMap(({ pointers }) => pointers),
    parts: found.flatMap(({ parts }) => parts),
  };
}

function toMembers(value: unknown): Record<string, unknown> {
  return Object(value) as Record<string, unknown>;
}
