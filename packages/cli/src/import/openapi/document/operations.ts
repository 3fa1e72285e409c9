import { type ApiDocument, asList, asObject, asText, type JsonObject } from "./document.js";

/** The HTTP methods of operations. */
const METHODS: readonly string[] = ["get", "put", "post", "delete", "patch", "head", "options", "trace"];

/** Methods whose responses have no content that a model could use, or that `fetch` does not send. */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(["head", "options", "trace"]);

/** A parameter of an operation, as it is sent. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly style: string;
  readonly isExploded: boolean;
  /** Whether reserved characters, such as `/`, are not percent-encoded in its value. */
  readonly allowsReserved: boolean;
  /** The media type in which it is sent, if it has one instead of a style. */
  readonly mediaType: string | undefined;
  readonly schema: unknown;
  readonly isDeprecated: boolean;
}

/** Content of one media type, in a request or a response. */
export interface MediaContent {
  readonly type: string;
  readonly schema: unknown;
  /** Encodings of the members of a form, by name. */
  readonly encoding: JsonObject;
}

/** Alternatives, each with the names of the schemes that it requires together. */
export type SecurityRequirements = readonly (readonly string[])[];

/** One operation of an OpenAPI document. */
export interface Operation {
  /** The HTTP method, in capitals. */
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
  /** By status, such as `200`, `2XX`, or `default`. */
  readonly responses: readonly { readonly status: string; readonly content: readonly MediaContent[] }[];
  /** Undefined if those of the document apply. */
  readonly security: SecurityRequirements | undefined;
  /** The server object, if not that of the document. */
  readonly server: unknown;
  /** Why it cannot become a tool; undefined if it can. */
  readonly unsupportedReason: string | undefined;
  /** Its parts that are not sent, each with the reason. */
  readonly unsent: readonly string[];
}

/** Reads every operation, in the order of the document. */
export function readOperations(document: ApiDocument): Operation[] {
  const paths = Object.entries(document.resolve(document.root["paths"]));
  return paths.flatMap(([path, each]) => {
    if (!path.startsWith("/")) return [];
    const item = document.resolve(each);
    const added = { query: item["query"], ...asObject(item["additionalOperations"]) };
    return [...METHODS, ...Object.keys(added)].flatMap((method) => {
      const operation = { ...added, ...item }[method];
      return typeof operation === "object" && operation !== null
        ? [readOperation(document, path, method, item, document.resolve(operation))]
        : [];
    });
  });
}

function readOperation(
  document: ApiDocument,
  path: string,
  method: string,
  item: JsonObject,
  operation: JsonObject,
): Operation {
  const body = document.resolve(operation["requestBody"]);
  const responses = Object.entries(document.resolve(operation["responses"]));
  const security = readSecurity(operation);
  const declared = readParameters(document, item, operation, path);
  const keys = listKeys(document, security ?? readSecurity(document.root) ?? []);
  const all = declared.filter(({ in: location, name }) => !keys.has(`${location} ${name}`));
  const parameters = all.filter((each) => findUnsentReason(each) === undefined);
  const unsent = all.flatMap((each) => findUnsentReason(each) ?? []);
  const hasUnsentBody = method === "get" && Object.keys(body).length > 0;
  if (hasUnsentBody) unsent.push("the body, which `fetch` does not send with GET");
  const isRequired =
    all.some((each) => each.isRequired && findUnsentReason(each) !== undefined) ||
    (hasUnsentBody && body["required"] === true);
  const unsupportedReason = !METHODS.includes(method)
    ? "its method requires OpenAPI 3.2"
    : WITHOUT_CONTENT.has(method)
      ? "its response has no content"
      : isRequired
        ? `it requires ${unsent.join(" and ")}`
        : undefined;
  return {
    method: method.toUpperCase(),
    path: path.split("#")[0] ?? path,
    id: asText(operation["operationId"]),
    summary: asText(operation["summary"]) ?? asText(item["summary"]),
    description: asText(operation["description"]),
    tags: asList(operation["tags"]).filter((tag) => typeof tag === "string"),
    isDeprecated: operation["deprecated"] === true,
    parameters,
    body:
      Object.keys(body).length === 0 || hasUnsentBody
        ? undefined
        : {
            isRequired: body["required"] === true,
            description: asText(body["description"]),
            content: readContent(document, body),
          },
    responses: responses.map(([status, response]) => ({
      status,
      content: readContent(document, document.resolve(response)),
    })),
    security,
    server: asList(operation["servers"])[0] ?? asList(item["servers"])[0],
    unsupportedReason,
    unsent,
  };
}

/** Returns a parameter that no style of OpenAPI 3.1 can write, with the reason; undefined for all others. */
function findUnsentReason({ in: location, name, style, mediaType }: Parameter): string | undefined {
  const parameter = `the ${location} parameter \`${name}\``;
  if (mediaType !== undefined)
    return /json|^text\/plain/.test(mediaType) ? undefined : `${parameter}, whose media type is ${mediaType}`;
  return STYLES[location].includes(style) ? undefined : `${parameter}, whose style is ${style}`;
}

/** Returns the locations and names of the keys that the security requirements add to requests. */
function listKeys(document: ApiDocument, security: SecurityRequirements): ReadonlySet<string> {
  const { securitySchemes } = document.resolve(document.root["components"]);
  const schemes = document.resolve(securitySchemes);
  const keys = security.flat().map((name) => document.resolve(schemes[name]));
  return new Set(
    keys.flatMap(({ type, in: location, name }) =>
      type === "apiKey" ? `${String(location)} ${String(name)}` : [],
    ),
  );
}

/** Reads the security requirements of a document or an operation. */
export function readSecurity({ security }: JsonObject): SecurityRequirements | undefined {
  return Array.isArray(security) ? security.map((each) => Object.keys(asObject(each))) : undefined;
}

/** Reads the parameters of a path and those of the operation, which may replace them. */
function readParameters(
  document: ApiDocument,
  item: JsonObject,
  operation: JsonObject,
  path: string,
): Parameter[] {
  const byName = new Map<string, Parameter>();
  for (const each of [item, operation].flatMap(({ parameters }) => asList(parameters))) {
    const parameter = readParameter(document, document.resolve(each));
    if (parameter === undefined || isImplicitHeader(parameter)) continue;
    if (parameter.in === "path" && !path.includes(`{${parameter.name}}`)) continue;
    byName.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  for (const [, name = ""] of path.matchAll(/\{([^{}]+)\}/g)) {
    const undescribed = readParameter(document, { name, in: "path" });
    if (undescribed !== undefined && !byName.has(`path ${name}`)) byName.set(`path ${name}`, undescribed);
  }
  return [...byName.values()];
}

/** The styles of parameters by their location, the default first. */
const STYLES: Readonly<Record<Parameter["in"], readonly [string, ...string[]]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

function readParameter(document: ApiDocument, parameter: JsonObject): Parameter | undefined {
  const { name, in: location, explode, content } = parameter;
  if (typeof name !== "string" || name === "") return undefined;
  if (typeof location !== "string" || !Object.hasOwn(STYLES, location)) return undefined;
  const at = location as Parameter["in"];
  const style = asText(parameter["style"]) ?? STYLES[at][0];
  const [media] = content === undefined ? [] : readContent(document, parameter);
  return {
    name,
    in: at,
    isRequired: at === "path" || parameter["required"] === true,
    description: asText(parameter["description"]),
    style,
    isExploded: typeof explode === "boolean" ? explode : style === "form",
    allowsReserved: parameter["allowReserved"] === true,
    mediaType: media?.type,
    schema: media === undefined ? parameter["schema"] : media.schema,
    isDeprecated: parameter["deprecated"] === true,
  };
}

/** Returns whether a parameter is a header that the body, the response, or the credentials determine. */
function isImplicitHeader({ in: location, name }: Parameter): boolean {
  return (
    location === "header" &&
    /^(accept|content-type|authorization|host|content-length|connection)$/i.test(name)
  );
}

function readContent(document: ApiDocument, { content }: JsonObject): MediaContent[] {
  return Object.entries(document.resolve(content)).map(([type, each]) => {
    const { schema, encoding } = document.resolve(each);
    return { type: type.trim().toLowerCase(), schema, encoding: asObject(encoding) };
  });
}
