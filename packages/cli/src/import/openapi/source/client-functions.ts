import type { CallPart } from "./client-part.js";

/** The functions of the written client that are needed, in the order in which they stand in it. */
export function functionSources(has: (...names: CallPart[]) => boolean): string[] {
  const isForm = has("form", "query", "cookies") || has("security");
  return [
    PATH,
    has("deepObject") ? DEEP_OBJECT : "",
    has("joined") ? JOINED : "",
    isForm || has("headers", "multipart") ? PAIRS : "",
    isForm ? WRITTEN : "",
    has("headers") ? HEADER_TEXT : "",
    has("multipart") ? FORM_DATA : "",
    PARTS,
    FETCHED,
    BYTES,
    FAILURE,
  ].filter((text) => text !== "");
}

const PATH = `/**
 * A path with values in it. Each stays one step of the way, whatever it holds.
 *
 * @throws ToolError for a value that would lead elsewhere
 * @example
 * path\`/pets/\${"a/b"}\` // "/pets/a%2Fb"
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const written = values.map((value) => partsOf(value).map(encodeURIComponent).join(","));
  const whole = String.raw({ raw: texts }, ...written);
  if (!written.includes("") && !/\\/\\.{1,2}(?:\\/|$)/.test(whole)) return whole;
  throw new ToolError(\`\${whole} is no path of the API: a part of it is empty, or leads elsewhere.\`);
}`;

const DEEP_OBJECT = `/**
 * Members of objects under names of their own: \`filter[color]=red\`.
 *
 * @param names whose members are written so; all, unless given
 */
export function deepObject(values: object | null | undefined, names?: readonly string[]): Record<string, unknown> {
  const members = (name: string, value: unknown): [string, unknown][] => {
    if (typeof value !== "object" || value === null) return [[name, value]];
    return Object.entries(value).flatMap(([key, each]) => members(\`\${name}[\${key}]\`, each));
  };
  const entries = Object.entries(values ?? {}).flatMap(([name, value]): [string, unknown][] =>
    names === undefined || names.includes(name) ? members(name, value) : [[name, value]],
  );
  return Object.fromEntries(entries);
}`;

const JOINED = `/** A list or an object in one text: \`a,b\`. Nothing, where there is nothing. */
export function joined(value: unknown, separator = ","): string | undefined {
  return value === undefined ? undefined : partsOf(value).join(separator);
}`;

const PAIRS = `/** Names and values as texts; of a list, each entry. */
function pairsOf(values: object = {}): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const entries: readonly unknown[] = Array.isArray(value) ? value : [value];
    return entries.map((each): [string, string] => [name, textOf(each)]);
  });
}`;

const WRITTEN = `function written(pairs: readonly (readonly [name: string, value: string])[], separator: string): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join(separator);
}`;

const HEADER_TEXT = `/** @throws ToolError for what no header can hold */
function headerText(name: string, value: string): string {
  if (/^[\\t\\x20-\\x7e\\x80-\\xff]*$/.test(value)) return value;
  throw new ToolError(\`\${name} is sent as a header, which holds no line ends and only characters of Latin-1.\`);
}`;

const FORM_DATA = `/** Bytes are sent as files. */
function formData(values: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (each instanceof Uint8Array) form.append(name, new Blob([new Uint8Array(each)]), name);
      else if (each !== undefined) form.append(name, textOf(each));
    }
  }
  return form;
}`;

const PARTS = `function partsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [textOf(value)];
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(textOf);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // Half a character has no place in a request.
  return text.replaceAll(/\\p{Surrogate}/gu, "\\u{fffd}");
}`;

const FETCHED = `/**
 * The answer to a request. An API that is busy, and says that it will not be for long, is asked again.
 *
 * @throws ToolError when the API cannot be reached
 */
async function fetched(url: URL, init: RequestInit): Promise<Response> {
  for (let retries = 0; ; retries++) {
    const response = await followed(url, init);
    const seconds = retries < MOST_RETRIES ? retryAfter(response, init.method) : undefined;
    if (seconds === undefined) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000, undefined, init.signal ? { signal: init.signal } : {});
  }
}

/** Of 503 it is not known whether anything was done, so only what may be done twice is sent again. */
function retryAfter({ status, headers }: Response, method = "GET"): number | undefined {
  const isRefused = status === 429 || (status === 503 && method !== "POST" && method !== "PATCH");
  const wait = headers.get("retry-after") ?? "";
  const seconds = /^\\d+$/.test(wait) ? Number(wait) : Infinity;
  return isRefused && seconds <= LONGEST_WAIT_SECONDS ? seconds : undefined;
}

/** A redirect is followed where the API leads to itself: nobody else is sent what was meant for it. */
async function followed(url: URL, init: RequestInit): Promise<Response> {
  let at = url;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await fetch(at, { ...init, redirect: "manual" }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ToolError(\`\${url.host} could not be reached.\`, { cause: error });
    });
    const location = response.headers.get("location");
    const isKept = init.method === "GET" || response.status === 307 || response.status === 308;
    if (response.status < 300 || response.status > 399 || location === null || !isKept) return response;
    await response.body?.cancel();
    const next = new URL(location, at);
    if (next.origin !== url.origin)
      throw new ToolError(\`The API answers that it is at \${next.origin}\${next.pathname}, which is not followed.\`);
    at = next;
  }
  throw new ToolError(\`\${url.host} redirects too often.\`);
}`;

const BYTES = `/** @throws ToolError for an answer that is too long */
async function bytesOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MOST_BYTES) throw new ToolError("The API's answer is too long to pass on: ask for less.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}`;

const FAILURE = `/** What a model is told of an error answer: its status, and how its body begins. */
async function failureOf(response: Response, call: string): Promise<ToolError> {
  const text = new TextDecoder().decode(await bytesOf(response).catch(() => new Uint8Array()));
  const isPage = response.headers.get("content-type")?.includes("html") === true;
  const body = (isPage ? text.replaceAll(/<[^>]*>/g, " ") : text).replaceAll(/\\s+/g, " ").trim();
  const wait = response.headers.get("retry-after");
  return new ToolError(
    \`\${call} answered \${\`\${response.status} \${response.statusText}\`.trim()}\` +
      \`\${wait === null ? "" : \` (try again after \${wait})\`}\` +
      \`\${body === "" ? "" : \`: \${body.length > MOST_CHARACTERS ? \`\${body.slice(0, MOST_CHARACTERS)}…\` : body}\`}\`,
  );
}`;
