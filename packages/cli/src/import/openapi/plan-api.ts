import type { Api, ApiClass } from "@tenon/compiler";
import { shorten } from "./document/descriptions.js";
import { type ApiDocument, asList, asObject, asText } from "./document/document.js";
import type { Operation } from "./document/operations.js";
import {
  toClassName,
  toConstantCase,
  toKebabCase,
  toMethodName,
  listTitleWords,
  createUniqueName,
} from "./document/names.js";
import { removeCycles } from "./schemas/cycles.js";
import { createSchemas, type Schemas } from "./schemas/schemas.js";
import { CLIENT_FUNCTIONS, type ClientPlan } from "./source/client-source.js";
import { findKnownAlternatives, planCredentials } from "./source/credentials.js";
import { writeOperationMethod } from "./source/operation-method.js";
import { getDefaultUrl, readServerUrl } from "./source/server-url.js";

/** The classes and the client to generate for a document. */
export interface ApiPlan {
  readonly api: Api;
  readonly client: ClientPlan;
  readonly schemas: Schemas;
  /** Parts of operations that are not sent as the document describes, by the name of the tool. */
  readonly unsent: ReadonlyMap<string, readonly string[]>;
  /** The origins of operations with their own server, which receive no credentials, with the names of their tools. */
  readonly withoutCredentials: ReadonlyMap<string, readonly string[]>;
}

/** The options of a plan. */
export interface PlanOptions {
  /** The name of the class (default: derived from the document's title). */
  readonly className: string | undefined;
  /** The file of the class, without extension (default: the class's name). */
  readonly file: string | undefined;
  /** Whether to write a class for each tag. */
  readonly isByTag: boolean;
}

/** Plans the classes and the client for operations of a document. */
export function planApi(
  document: ApiDocument,
  operations: readonly Operation[],
  options: PlanOptions,
): ApiPlan {
  const title = asText(document.resolve(document.root["info"])["title"]) ?? "API";
  const wholeName = options.className ?? toClassName(title);
  const prefix =
    options.className === undefined
      ? toConstantCase(listTitleWords(title).join("_").toLowerCase()) || "API"
      : toConstantCase(options.className);
  const schemas = createSchemas(document);
  const credentials = planCredentials(document, operations, prefix);
  const serverUrl = readServerUrl(document, prefix);
  const nameMethod = createNamer();
  const unsent = new Map<string, string[]>();
  const withoutCredentials = new Map<string, string[]>();
  const planMethod = (operation: Operation): ApiClass["methods"][number] => {
    const name = nameMethod(toMethodName(operation.id ?? `${operation.method} ${operation.path}`));
    const { server } = operation;
    const url = server === undefined ? undefined : getDefaultUrl(readServerUrl(document, prefix, server));
    const security = operation.security && findKnownAlternatives(operation.security, credentials.schemes);
    const isUsual = JSON.stringify(security) === JSON.stringify(credentials.security);
    const needsCredentials = (security ?? credentials.security).flat().length > 0;
    const origin = getForeignOrigin(url, getDefaultUrl(serverUrl));
    if (origin !== undefined && needsCredentials) addTo(withoutCredentials, origin, name);
    return writeOperationMethod(operation, name, {
      document,
      schemas,
      url: url === getDefaultUrl(serverUrl) ? undefined : url,
      security: isUsual || credentials.schemes.size === 0 ? undefined : security,
      note: (text) => addTo(unsent, name, text),
    });
  };
  const nameFile = createNamer("api-client", "schemas");
  const nameClass = createNamer();
  const groups = options.isByTag ? groupByTag(operations) : new Map([["", operations]]);
  const classes = [...groups].map(([tag, members]): ApiClass => {
    const isWhole = tag === "";
    const name = nameClass(isWhole ? wholeName : toClassName(tag));
    return {
      name,
      file: nameFile(isWhole ? (options.file ?? toKebabCase(wholeName)) : toKebabCase(name)),
      description: describeClass(document, tag, title),
      methods: members.map(planMethod),
    };
  });
  return {
    schemas,
    unsent,
    withoutCredentials,
    client: { title, prefix, serverUrl, credentials },
    api: {
      classes,
      definitions: removeCycles(schemas.definitions),
      client: { file: "api-client", functions: CLIENT_FUNCTIONS },
      typesFile: "schemas",
    },
  };
}

function addTo(lists: Map<string, string[]>, key: string, value: string): void {
  lists.set(key, [...(lists.get(key) ?? []), value]);
}

/** Returns the origin of an operation's own server if it differs from that of the API. */
function getForeignOrigin(own: string | undefined, base: string | undefined): string | undefined {
  if (own === undefined || !URL.canParse(own)) return undefined;
  const { origin } = new URL(own);
  return base !== undefined && URL.canParse(base) && new URL(base).origin === origin ? undefined : origin;
}

/** Returns a function that makes names unique, even on file systems that ignore case. */
function createNamer(...taken: string[]): (base: string) => string {
  const used = new Set(taken);
  return (base) => base + createUniqueName(base.toLowerCase(), used).slice(base.length);
}

/** Groups operations by their first tag. Those without a tag belong to the class that is named after the API. */
function groupByTag(operations: readonly Operation[]): Map<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const tag = operation.tags[0] ?? "";
    groups.set(tag, [...(groups.get(tag) ?? []), operation]);
  }
  return groups;
}

function describeClass(document: ApiDocument, tag: string, title: string): string {
  const tags = asList(document.root["tags"]).map(asObject);
  const description = asText(tags.find(({ name }) => name === tag)?.["description"]);
  return description === undefined ? shorten(title, 100) : shorten(description, 200);
}
