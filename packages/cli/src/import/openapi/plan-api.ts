import type { Api, ApiClass } from "@tenon/compiler";
import { withoutCircles } from "./schemas/circles.js";
import { type ClientPlan, CLIENT_FUNCTIONS } from "./source/client-source.js";
import type { CallPart } from "./source/client-part.js";
import { credentialsOf, knownOnly } from "./source/credentials.js";
import { type ApiDocument, recordOf, textOf } from "./document/document.js";
import { operationTool } from "./source/operation-tool.js";
import type { Operation } from "./document/operations.js";
import { createSchemas, type Schemas } from "./schemas/schemas.js";
import { addressOfServer, plainAddress, readServer } from "./source/server-address.js";
import { shortened } from "./document/short-text.js";
import { constantFor, freshName, methodNameFor, pascalFor } from "./source/source-names.js";

export interface ApiPlan {
  readonly api: Api;
  readonly client: ClientPlan;
  readonly schemas: Schemas;
}

export interface PlanOptions {
  /** The name of the class; made of the document's title, unless given. */
  readonly className: string | undefined;
  /** The file of the class, without extension; the class's name, unless given. */
  readonly file: string | undefined;
  /** A class for each tag. */
  readonly isByTag: boolean;
}

/** All that is to be written for operations of a document. */
export function planApi(
  document: ApiDocument,
  operations: readonly Operation[],
  options: PlanOptions,
): ApiPlan {
  const { title = "API" } = { title: textOf(recordOf(document.at(document.root, "info").value)["title"]) };
  const className = options.className ?? classNameFor(title);
  const prefix =
    options.className === undefined
      ? constantFor(wordsOfTitle(title).join("_").toLowerCase()) || "API"
      : constantFor(className);
  const schemas = createSchemas(document);
  const credentials = credentialsOf(document, operations, prefix);
  const address = addressOfServer(document, prefix);
  const parts = new Set<CallPart>();
  const names = new Set<string>();
  const methodOf = (operation: Operation): ApiClass["methods"][number] => {
    const name = freshName(methodNameFor(operation.id ?? `${operation.method} ${operation.path}`), names);
    const own = operation.server && plainAddress(readServer(document, operation.server, prefix));
    const security = operation.security && knownOnly(operation.security, credentials.schemes);
    const isAsUsual = JSON.stringify(security) === JSON.stringify(credentials.security);
    return operationTool(operation, name, {
      schemas,
      parts,
      address: own === plainAddress(address) ? undefined : own,
      security: security === undefined || isAsUsual || credentials.schemes.size === 0 ? undefined : security,
    });
  };
  const groups = options.isByTag ? byTag(operations) : new Map([["", operations]]);
  const files = new Set(["api-client", "schemas"]);
  const classNames = new Set<string>();
  const classes = [...groups].map(([tag, members]): ApiClass => {
    const name = freshName(tag === "" ? className : classNameFor(tag), classNames);
    const file = freshName(tag === "" ? (options.file ?? kebab(className)) : kebab(name), files);
    return {
      name,
      file,
      description: descriptionOfClass(document, tag, title),
      methods: members.map(methodOf),
    };
  });
  const client = { title, prefix, address, credentials, parts };
  const functions = [...CLIENT_FUNCTIONS];
  return {
    schemas,
    client,
    api: {
      classes,
      definitions: withoutCircles(schemas.definitions),
      client: { file: "api-client", functions },
      typesFile: "schemas",
    },
  };
}

/** Operations without a tag belong to the class that has the API's own name. */
function byTag(operations: readonly Operation[]): Map<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const tag = operation.tags[0] ?? "";
    groups.set(tag, [...(groups.get(tag) ?? []), operation]);
  }
  return groups;
}

function descriptionOfClass(document: ApiDocument, tag: string, title: string): string | undefined {
  const tags = document.at(document.root, "tags").value;
  const found = Array.isArray(tags)
    ? (tags as unknown[]).map(recordOf).find(({ name }) => name === tag)
    : undefined;
  const description = textOf(found?.["description"]);
  return description === undefined ? shortened(title, 100) : shortened(description, 200);
}

/** @example classNameFor("Swagger Petstore - OpenAPI 3.0") // "Petstore" */
function classNameFor(title: string): string {
  const words = wordsOfTitle(title);
  const name = pascalFor(words.join(" "));
  const base =
    words.length === 0 || !/^[A-Za-z]/.test(words[0] ?? "") ? `Api${words.length === 0 ? "" : name}` : name;
  return TAKEN.has(base) ? `${base}Api` : base;
}

function wordsOfTitle(title: string): string[] {
  const [name = ""] = title.replaceAll(/['’]s\b/g, "").split(/ [-–—+|(:]|[:(|]/);
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "" && !NOISE.test(word))
    .slice(0, 4);
}

const NOISE =
  /^(api|apis|rest|restful|http|swagger|openapi|specification|spec|the|public|reference|official|documentation|v?\d+)$/i;
const TAKEN: ReadonlySet<string> = new Set([
  "ApiClient",
  "ApiSettings",
  ..."Array Object String Number Boolean Symbol Function Error Date Map Set Promise Content Tool Prompt Resource Record Request Response".split(
    " ",
  ),
]);

function kebab(name: string): string {
  return constantFor(name).toLowerCase().replaceAll("_", "-");
}
