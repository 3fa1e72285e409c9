import { pathToFileURL } from "node:url";
import type { RecordedApi } from "../cli/import/recorded-api.js";
import { type ApiSource, listOperations } from "./openapi-documents.js";

/** The compared parts of a request. */
export interface ComparedRequest {
  call: string;
  /** The headers that are parameters of the operation. */
  headers: Record<string, string>;
  cookie: string;
  /** Undefined for bytes, and for a body in parts. */
  body: string | undefined;
}

/** A parameter of an operation, with references resolved. */
interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}

interface ResolvedOperation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content?: Record<string, FormContent> };
}

interface FormContent {
  schema?: { properties?: Record<string, { type?: unknown }> };
  encoding?: Record<string, object>;
}

/** The part of swagger-client that prepares requests without sending them. */
interface Library {
  resolve(options: { spec: object }): Promise<{ spec: ApiSource }>;
  buildRequest(options: object): { url: string; headers: Record<string, string>; body?: unknown };
}

/** Loads swagger-client. @param file the bundle for Node */
export async function loadSwaggerClient(file: string): Promise<Library> {
  const { default: loaded } = (await import(pathToFileURL(file).href)) as { default: Library };
  return loaded;
}

/** An operation whose requests both clients make. */
export interface ComparedOperation {
  /** Its ID, and the name of its tool. */
  readonly name: string;
  /** Returns what swagger-client sends for the arguments of a tool; undefined if a parameter has another name there. */
  prepare(
    args: Readonly<Record<string, unknown>>,
    sent: RecordedApi["asked"][number],
  ): ComparedRequest | undefined;
  /** Returns the compared parts of the request that a tool has sent. */
  read(sent: RecordedApi["asked"][number]): ComparedRequest;
}

/** Lists the operations of a document, without those whose required body no GET request can have. */
export async function listCompared(library: Library, source: ApiSource): Promise<ComparedOperation[]> {
  // swagger-client adds resolved references to the document itself.
  const { spec } = await library.resolve({ spec: structuredClone(source) });
  return listOperations(spec).flatMap(({ path, method, operation }) => {
    const { parameters = [], requestBody } = operation as ResolvedOperation;
    const shared = ((spec.paths[path] as { parameters?: Parameter[] }).parameters ?? []).filter(
      (each) => !parameters.some((own) => own.name === each.name && own.in === each.in),
    );
    if (method === "get" && requestBody?.required === true) return [];
    repeatLists(requestBody?.content?.["application/x-www-form-urlencoded"]);
    const declared = [...shared, ...parameters];
    const all = declared.filter(({ name }) => !IMPLICIT.test(name));
    const needsImplicit = declared.some(({ name, required }) => required === true && IMPLICIT.test(name));
    const names = all.map(({ name }) => name);
    const headerNames = all.filter((each) => each.in === "header").map(({ name }) => name.toLowerCase());
    const hasOwnNames =
      new Set(names).size === names.length && names.every((name) => /^[\w.-]{1,64}$/.test(name));
    return [
      {
        name: operation.operationId ?? "",
        read: ({ call, headers, body }) => ({
          call,
          headers: pick(headers, headerNames),
          cookie: decodeURIComponent(String(headers["cookie"] ?? "")),
          body: hasBytes(headers["type"]) ? undefined : body,
        }),
        prepare: (args, sent) => {
          if (!hasOwnNames || needsImplicit) return undefined;
          const given = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
          const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
          const type = String(sent.headers["type"] ?? "");
          const isWhole =
            Object.keys(rest).length === 1 &&
            Object.keys(rest)[0] === WHOLE_BODY.find((name) => !names.includes(name));
          const [whole] = isWhole ? Object.values(rest) : [rest];
          // swagger-client sends a string unchanged, even as a JSON body.
          const requestBody = typeof whole === "string" && /json/.test(type) ? JSON.stringify(whole) : whole;
          const request = library.buildRequest({
            spec,
            operationId: operation.operationId,
            parameters: given,
            ...(type !== "" && { requestBody, requestContentType: type.split(";")[0] }),
          });
          const lower = Object.fromEntries(
            Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
          );
          const body = request.body === undefined ? "" : request.body;
          return {
            call: `${method.toUpperCase()} ${decodeOrigin(request.url)}`,
            headers: pick(lower, headerNames),
            cookie: decodeURIComponent(lower["cookie"] ?? ""),
            body: hasBytes(type) ? undefined : typeof body === "string" ? body : JSON.stringify(body),
          };
        },
      },
    ];
  });
}

/**
 * Makes lists in forms repeat the name, which is the default. swagger-client joins them with commas unless a style is
 * given.
 */
function repeatLists(form: FormContent | undefined): void {
  if (form === undefined) return;
  const lists = Object.entries(form.schema?.properties ?? {}).filter(([, { type }]) => type === "array");
  const encodings = lists.map(([name]) => [name, { style: "form", explode: true }] as const);
  form.encoding = { ...Object.fromEntries(encodings), ...form.encoding };
}

/** Headers that the body, the response, or the credentials determine. */
const IMPLICIT = /^(?:accept|content-type|authorization|host|content-length|connection)$/i;

/** The names of an argument that is the whole body, in the order in which they are chosen. */
const WHOLE_BODY = ["body", "requestBody", "contentOfBody"];

/** Returns the path and the query of a URL. swagger-client leaves `|` as it is, and a fragment, which is never sent. */
function decodeOrigin(url: string): string {
  return url
    .replace(/^https?:\/\/[^/]+/, "")
    .replace(/#[^?]*/, "")
    .replaceAll("|", "%7C");
}

/** Returns whether a body consists of bytes, which tools receive as base64, or of parts, whose boundary differs. */
function hasBytes(type: unknown): boolean {
  return type !== undefined && type !== "" && !/json|urlencoded|^text\/|xml|yaml/.test(String(type));
}

function pick(headers: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}
