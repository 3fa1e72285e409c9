/**
 * The source of `api-client.ts`: what all methods share, with only the parts that they need.
 * @module
 */
import type { CallPart } from "./client-part.js";
import type { Credentials } from "./credentials.js";
import { listText, securityText, templateText } from "./source-text.js";
import { functionSources } from "./client-functions.js";
import { proofSource, settingsIn } from "./proof-source.js";
import type { ServerAddress } from "./server-address.js";

export interface ClientPlan {
  /** Of the API. */
  readonly title: string;
  /** Of environment variables. */
  readonly prefix: string;
  readonly address: ServerAddress;
  readonly credentials: Credentials;
  readonly parts: ReadonlySet<CallPart>;
}

/** Functions of the client's module that methods import. */
export const CLIENT_FUNCTIONS: readonly string[] = ["deepObject", "joined", "path"];

export function clientSource(plan: ClientPlan): string {
  const { title, parts } = plan;
  const has = (...names: CallPart[]): boolean => names.some((name) => parts.has(name));
  const sections = [
    `/**
 * ${commentText(title)}: where it is, who calls, and how values travel.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ${has("content") ? "type Content, " : ""}ToolError } from "@tenon/runtime";`,
    settingsSource(plan),
    constantsSource(plan),
    requestSource(plan, has),
    classSource(plan, has),
    ...functionSources(has),
  ];
  return `${sections.filter((each) => each !== "").join("\n\n")}\n`;
}

/** Every environment variable that the client reads, and what it is for. */
export function environmentOf(plan: ClientPlan): { readonly variable: string; readonly about: string }[] {
  const { address, prefix, credentials } = plan;
  const url = {
    variable: `${prefix}_URL`,
    about:
      address.template === undefined ? "where the API is" : `where the API is (default ${address.template})`,
  };
  return [
    url,
    ...address.variables.map(({ variable, name, fallback, allowed }) => ({
      variable,
      about: `\`${name}\` in its address (default ${fallback}${allowed.length > 0 ? `; one of ${allowed.join(", ")}` : ""})`,
    })),
    ...settingsIn(credentials).map(({ setting, about }) => ({ variable: setting.variable, about })),
  ];
}

function settingsSource(plan: ClientPlan): string {
  const { credentials, prefix, address } = plan;
  const settings = settingsIn(credentials);
  const members = settings.map(({ setting: { member } }) => `  readonly ${member}?: string | undefined;`);
  const read = settings.map(
    ({ setting: { member, variable }, about }) =>
      `    /** ${commentText(capitalized(about))}. */\n    ${member}: process.env["${variable}"] || undefined,`,
  );
  const choice = address.variables.some(({ allowed }) => allowed.length > 0) ? `\n\n${CHOICE}` : "";
  const isUnknown = address.template === undefined;
  const url = [
    `    /** Where the API is. */\n    url: process.env["${prefix}_URL"]${isUnknown ? "" : ` || ${addressSource(plan)}`},`,
  ];
  return `/** What the environment says, and no model does. */
export interface ApiSettings {
  readonly url${isUnknown ? "?: string | undefined" : ": string"};
${members.map((member) => `${member}\n`).join("")}}

/** An empty variable says as much as none. */
export function settingsOfEnvironment(): ApiSettings {
  return {
${[...url, ...read].join("\n")}
  };
}${choice}`;
}

function addressSource({ address: { template = "", variables } }: ClientPlan): string {
  if (variables.length === 0) return JSON.stringify(template);
  const byName = new Map(variables.map((each) => [each.name, each]));
  const text = template.split(/(\{[^{}]+\})/).map((part) => {
    const found = byName.get(part.slice(1, -1));
    if (found === undefined) return templateText(part);
    const value = `process.env["${found.variable}"] || ${JSON.stringify(found.fallback)}`;
    if (found.allowed.length === 0) return `\${${value}}`;
    return `\${choice("${found.variable}", ${value}, ${listText(found.allowed)})}`;
  });
  return `\`${text.join("")}\``;
}

const CHOICE = `/** @throws Error for a value that the API does not know */
function choice(name: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value;
  throw new Error(\`\${name} must be one of \${allowed.join(", ")}, and is \${value}.\`);
}`;

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function constantsSource({ credentials }: ClientPlan): string {
  const { security, schemes } = credentials;
  const names = [...schemes.keys()].map((name) => JSON.stringify(name)).join(" | ");
  const declared =
    schemes.size === 0
      ? ""
      : `

/** Ways to prove who calls, by their names in the document: alternatives, each with all that it needs. */
export type Security = readonly (readonly (${names})[])[];

const SECURITY: Security = ${securityText(security)};`;
  return `/** No answer is read any further. */
const MOST_BYTES = 10 * 1024 * 1024;
/** So much of an error answer is told. */
const MOST_CHARACTERS = 1000;
const MOST_REDIRECTS = 5;
/** An API that is busy is asked again so often, if it says that it is for no longer. */
const MOST_RETRIES = 2;
const LONGEST_WAIT_SECONDS = 5;${declared}`;
}

function requestSource({ credentials }: ClientPlan, has: (...names: CallPart[]) => boolean): string {
  const members = [
    has("query") && "  readonly query?: Values;",
    has("headers") && "  readonly headers?: Values;",
    has("cookies") && "  readonly cookies?: Values;",
    has("json") && "  /** A body of JSON. */\n  readonly json?: unknown;",
    has("form") &&
      "  /** A body as forms of browsers send it. */\n  readonly form?: object | null | undefined;",
    has("multipart") &&
      "  /** A body in parts, of which some are files. */\n  readonly multipart?: object | null | undefined;",
    has("text") && "  /** A body of text. */\n  readonly text?: string | undefined;",
    has("bytes") && "  readonly bytes?: Uint8Array | undefined;",
    has("media type") &&
      "  /** What the body is, if not what its kind says. */\n  readonly contentType?: string;",
    "  /** What is asked for. Default: JSON. */\n  readonly accept?: string;",
    has("server") && "  /** Where this is served, if not where the rest is. */\n  readonly url?: string;",
    has("security") && credentials.schemes.size > 0 && "  readonly security?: Security;",
    "  readonly signal: AbortSignal;",
  ];
  const values = has("query", "headers", "cookies")
    ? `/** By name; what is undefined is not sent. */
type Values = Readonly<Record<string, unknown>>;

`
    : "";
  return `${values}/** What a call sends besides its method and path. */
export interface ApiRequest {
${members.filter((each) => each !== false).join("\n")}
}`;
}

function classSource(plan: ClientPlan, has: (...names: CallPart[]) => boolean): string {
  const { credentials, prefix, address } = plan;
  const withProof = credentials.schemes.size > 0;
  const proof = proofSource(credentials);
  const readers = [
    has("json answer") &&
      `
  /** Asks for data. It is as the document says: what is not, is refused before it reaches a client. */
  async json<T>(method: string, path: string, request: ApiRequest): Promise<T> {
    const text = await this.text(method, path, request);
    try {
      return (text.trim() === "" ? null : JSON.parse(text)) as T;
    } catch {
      throw new ToolError(\`\${method} \${path} did not answer with JSON.\`);
    }
  }`,
    has("json answer", "text answer") &&
      `
  ${has("text answer") ? "/** Asks for text. */\n  " : ""}async text(method: string, path: string, request: ApiRequest): Promise<string> {
    return new TextDecoder().decode(await bytesOf(await this.#send(method, path, request)));
  }`,
    has("content") &&
      `
  /** Asks for an image, a recording or any other file. */
  async content(method: string, path: string, request: ApiRequest): Promise<Content> {
    const response = await this.#send(method, path, request);
    const [mimeType = ""] = (response.headers.get("content-type") ?? "application/octet-stream").split(";");
    const data = Buffer.from(await bytesOf(response)).toString("base64");
    if (mimeType.startsWith("image/")) return { type: "image", data, mimeType };
    if (mimeType.startsWith("audio/")) return { type: "audio", data, mimeType };
    const { origin, pathname } = new URL(response.url);
    return { type: "resource", resource: { uri: \`\${origin}\${pathname}\`, mimeType, blob: data } };
  }`,
    has("done") &&
      `
  /** Asks for something to be done. */
  async done(method: string, path: string, request: ApiRequest): Promise<void> {
    await (await this.#send(method, path, request)).body?.cancel();
  }`,
  ];
  const where = has("server") ? "(request.url ?? this.#settings.url)" : "this.#settings.url";
  const base =
    address.template === undefined
      ? `    const base = ${where};
    if (base === undefined) throw new ToolError("The server does not know where the API is: set ${prefix}_URL.");
    const url = new URL(base.replace(/\\/+$/, "") + path);`
      : `    const url = new URL(${where}.replace(/\\/+$/, "") + path);`;
  const query = [
    has("query") && "pairsOf(request.query)",
    withProof && proof.places.has("query") && "pairsOf(proof.query)",
  ].filter((each) => each !== false);
  const cookies = [
    has("cookies") && "pairsOf(request.cookies)",
    withProof && proof.places.has("cookie") && "pairsOf(proof.cookies)",
  ].filter((each) => each !== false);
  const bodies = bodiesSource(has);
  const lines = [
    base,
    withProof &&
      `    const proof = await this.#proofFor(${has("security") ? "request.security ?? SECURITY" : "SECURITY"}${proof.isAsync ? ", request.signal" : ""});`,
    query.length > 0 && `    url.search = written(${pairsSource(query)}, "&");`,
    `    const headers = new Headers({ accept: request.accept ?? "application/json" });`,
    has("headers") &&
      `    for (const [name, value] of pairsOf(request.headers)) headers.set(name, headerText(name, value));`,
    withProof &&
      proof.places.has("header") &&
      `    for (const [name, value] of Object.entries(proof.headers ?? {})) headers.set(name, value);`,
    cookies.length > 0 &&
      `    const cookies = written(${pairsSource(cookies)}, "; ");\n    if (cookies !== "") headers.set("cookie", cookies);`,
    bodies,
    `    const response = await fetched(url, { method, headers, ${bodies === "" ? "" : "body: body ?? null, "}signal: request.signal });`,
    `    if (response.ok) return response;`,
    `    throw await failureOf(response, \`\${method} \${path}\`);`,
  ];
  return `/** Calls the API: the base URL and the credentials are those of the settings, whatever the arguments are. */
export class ApiClient {
  readonly #settings: ApiSettings;
${withProof && proof.isAsync ? "  readonly #tokens = new Map<string, Token>();\n" : ""}
  constructor(settings: ApiSettings = settingsOfEnvironment()) {
    this.#settings = settings;
  }
${readers.filter((each) => each !== false).join("\n")}

  /**
   * @throws ToolError for an answer that is an error, with its status and the beginning of its body
   */
  async #send(method: string, path: string, request: ApiRequest): Promise<Response> {
${lines.filter((each) => each !== false && each !== "").join("\n")}
  }${withProof ? `\n${proof.methods}` : ""}
}${withProof ? `\n\n${proof.types}` : ""}`;
}

/** Several lists of pairs as one. */
function pairsSource(lists: readonly string[]): string {
  return lists.length === 1 ? lists.join("") : `[${lists.map((list) => `...${list}`).join(", ")}]`;
}

function bodiesSource(has: (...names: CallPart[]) => boolean): string {
  const cases = [
    has("json") &&
      `    if (request.json !== undefined) {
      headers.set("content-type", "application/json");
      body = JSON.stringify(request.json);
    }`,
    has("form") &&
      `    if (request.form) {
      headers.set("content-type", "application/x-www-form-urlencoded");
      body = written(pairsOf(request.form), "&");
    }`,
    has("multipart") && `    if (request.multipart) body = formData(request.multipart);`,
    has("text") &&
      `    if (request.text !== undefined) {
      headers.set("content-type", "text/plain; charset=utf-8");
      body = request.text;
    }`,
    has("bytes") &&
      `    if (request.bytes !== undefined) {
      headers.set("content-type", "application/octet-stream");
      body = new Blob([new Uint8Array(request.bytes)]);
    }`,
    has("media type") &&
      `    if (body !== undefined && request.contentType !== undefined) headers.set("content-type", request.contentType);`,
  ].filter((each) => each !== false);
  if (cases.length === 0) return "";
  const types = ["string", ...(has("multipart") ? ["FormData"] : []), ...(has("bytes") ? ["Blob"] : [])];
  return [`    let body: ${types.join(" | ")} | undefined;`, ...cases].join("\n");
}

function commentText(text: string): string {
  return text.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
}
