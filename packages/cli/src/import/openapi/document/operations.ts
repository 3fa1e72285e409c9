import { type ApiDocument, childOf, childrenOf, listOf, type Part, recordOf, textOf } from "./document.js";
import { shortened } from "./short-text.js";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;
/** Those that `fetch` sends with what a tool is for. */
const SENT: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "patch"]);

/** A parameter of an operation, as it is sent. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly style: string;
  readonly isExploded: boolean;
  /** Where a media type says how it is written, in place of a style: it is JSON. */
  readonly isJson: boolean;
  readonly schema: Part | undefined;
  readonly isDeprecated: boolean;
}

/** Content of one media type, of a body or an answer. */
export interface MediaContent {
  readonly type: string;
  readonly schema: Part | undefined;
  /** Of the parts of a form, by property. */
  readonly encoding: Readonly<Record<string, unknown>>;
}

export interface Answer {
  /** Such as `200`, `2XX` or `default`. */
  readonly status: string;
  readonly content: readonly MediaContent[];
}

/** One operation of an OpenAPI document. */
export interface Operation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly id: string | undefined;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly isDeprecated: boolean;
  readonly parameters: readonly Parameter[];
  readonly body:
    | {
        readonly isRequired: boolean;
        readonly description: string | undefined;
        readonly content: readonly MediaContent[];
      }
    | undefined;
  readonly answers: readonly Answer[];
  /** Alternatives, each with schemes that are all needed; undefined where it is as in the whole document. */
  readonly security: readonly (readonly string[])[] | undefined;
  /** Where it is served, if not where the rest is. */
  readonly server: Part | undefined;
}

/** Every operation that a tool can be made of, in the order of the document. */
export function operationsOf(document: ApiDocument): Operation[] {
  return childrenOf(document.at(document.root, "paths")).flatMap(({ key: path, part }) => {
    if (!path.startsWith("/")) return [];
    const item = document.follow(part);
    return METHODS.flatMap((method) => {
      const operation = childOf(item, method);
      return SENT.has(method) && typeof operation.value === "object" && operation.value !== null
        ? [operationAt(document, path, method, item, operation)]
        : [];
    });
  });
}

function operationAt(
  document: ApiDocument,
  path: string,
  method: string,
  item: Part,
  operation: Part,
): Operation {
  const { operationId, summary, description, tags, deprecated } = recordOf(operation.value);
  const body = document.at(operation, "requestBody");
  const answers = childrenOf(document.at(operation, "responses"));
  return {
    method: method.toUpperCase(),
    path: path.split(/[?#]/)[0] ?? path,
    id: textOf(operationId),
    summary: textOf(summary) ?? textOf(recordOf(item.value)["summary"]),
    description: textOf(description),
    tags: listOf(tags).filter((tag): tag is string => typeof tag === "string"),
    isDeprecated: deprecated === true,
    parameters: parametersOf(document, item, operation, path),
    body:
      Object.keys(recordOf(body.value)).length === 0
        ? undefined
        : {
            isRequired: recordOf(body.value)["required"] === true,
            description: textOf(recordOf(body.value)["description"]),
            content: contentOf(document, body),
          },
    answers: answers.map(({ key, part }) => ({
      status: key,
      content: contentOf(document, document.follow(part)),
    })),
    security: securityOf(operation),
    server: serverOf(operation) ?? serverOf(item),
  };
}

/** The alternatives of a document or an operation. */
export function securityOf(part: Part): (readonly string[])[] | undefined {
  const { security } = recordOf(part.value);
  if (!Array.isArray(security)) return undefined;
  return security.map((each: unknown) => Object.keys(recordOf(each)));
}

function serverOf(part: Part): Part | undefined {
  const servers = childOf(part, "servers");
  const [first] = childrenOf(servers);
  return first?.part;
}

/** Those of the path, and those of the operation, which may replace them. */
function parametersOf(document: ApiDocument, item: Part, operation: Part, path: string): Parameter[] {
  const all = [item, operation].flatMap((holder) =>
    childrenOf(childOf(holder, "parameters")).map(({ part }) => document.follow(part)),
  );
  const byName = new Map<string, Parameter>();
  for (const part of all) {
    const parameter = parameterAt(document, part);
    if (parameter === undefined || isOtherwiseSent(parameter)) continue;
    if (parameter.in === "path" && !path.includes(`{${parameter.name}}`)) continue;
    byName.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  for (const [, name = ""] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (!byName.has(`path ${name}`)) byName.set(`path ${name}`, undescribed(name));
  }
  return [...byName.values()];
}

function undescribed(name: string): Parameter {
  return {
    name,
    in: "path",
    isRequired: true,
    description: undefined,
    style: "simple",
    isExploded: false,
    isJson: false,
    schema: undefined,
    isDeprecated: false,
  };
}

const STYLES = { path: "simple", query: "form", header: "simple", cookie: "form" } as const;

function parameterAt(document: ApiDocument, part: Part): Parameter | undefined {
  const {
    name,
    in: place,
    required,
    description,
    style,
    explode,
    content,
    deprecated,
  } = recordOf(part.value);
  if (typeof name !== "string" || name === "" || typeof place !== "string" || !Object.hasOwn(STYLES, place))
    return undefined;
  const at = place as Parameter["in"];
  const written = textOf(style) ?? STYLES[at];
  const [media] = content === undefined ? [] : contentOf(document, part);
  const schema = media === undefined ? childOf(part, "schema") : media.schema;
  return {
    name,
    in: at,
    isRequired: at === "path" || required === true,
    description: textOf(description),
    style: written,
    isExploded: typeof explode === "boolean" ? explode : written === "form",
    isJson: media !== undefined && /json/i.test(media.type),
    schema: schema?.value === undefined ? undefined : schema,
    isDeprecated: deprecated === true,
  };
}

/** Headers that the body, the answer and the credentials decide. */
function isOtherwiseSent({ in: place, name }: Parameter): boolean {
  return (
    place === "header" && /^(accept|content-type|authorization|host|content-length|connection)$/i.test(name)
  );
}

function contentOf(document: ApiDocument, part: Part): MediaContent[] {
  return childrenOf(document.at(part, "content")).map(({ key, part: media }) => {
    const at = document.follow(media);
    const schema = childOf(at, "schema");
    return {
      type: key.trim().toLowerCase(),
      schema: schema.value === undefined ? undefined : schema,
      encoding: recordOf(recordOf(at.value)["encoding"]),
    };
  });
}

/** What a model reads of an operation. */
export function descriptionOf({ method, path, summary, description, isDeprecated }: Operation): string {
  const first = summary === undefined ? "" : shortened(summary, 150).replace(/(?<![.!?…])$/, ".");
  const more = description === undefined ? "" : shortened(description, 400);
  const said =
    more === "" || same(first, more) ? first || more : same(more, first) ? more : `${first} ${more}`;
  return `${isDeprecated ? "Deprecated. " : ""}${said.trim() || `${method} ${path}`}`;
}

/** Whether the first text says the second already. */
function same(text: string, other: string): boolean {
  const plain = (each: string): string =>
    each
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  return plain(text).startsWith(plain(other));
}
