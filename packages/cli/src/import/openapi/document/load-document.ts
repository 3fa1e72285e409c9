import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parse as parseYaml } from "yaml";
import { Failure } from "../../../terminal/failure.js";
import { addressOf, type ApiDocument, createDocument, recordOf } from "./document.js";

/** More is no description of an API. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 500;

export interface LoadOptions {
  cwd: string;
  /** Headers of every request. */
  headers: Readonly<Record<string, string>>;
}

/**
 * Reads an OpenAPI document, JSON or YAML, with all files that it refers to. A file refers to files, and what was fetched
 * to what can be fetched from the same origin: whoever writes a document has no say in what else is read here.
 *
 * @param target a path or a URL
 * @throws Failure when something cannot be read, or is no OpenAPI 3 document
 */
export async function loadDocument(target: string, options: LoadOptions): Promise<ApiDocument> {
  const isUrl = /^https?:/.test(target);
  if (isUrl && !URL.canParse(target)) throw new Failure(`${target} is no URL.`, { exitCode: 2 });
  const first = isUrl ? new URL(target) : pathToFileURL(resolve(options.cwd, target));
  first.hash = "";
  const files = new Map<string, unknown>();
  const left = [first.href];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (files.has(next)) continue;
    if (files.size === MOST_FILES)
      throw new Failure(`${target} refers to more than ${MOST_FILES} other files.`);
    const value = parsed(await read(next, first, options), next);
    files.set(next, value);
    if (next === first.href) assertOpenApi(value, target);
    for (const reference of referencesIn(value)) {
      const [file] = addressOf(reference, next);
      if (!files.has(file)) left.push(file);
    }
  }
  return createDocument(files, first.href, isUrl ? first : undefined);
}

async function read(address: string, first: URL, { headers }: LoadOptions): Promise<string> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.protocol !== first.protocol || url.host !== first.host) {
    throw new Failure(`The document refers to ${address}, which is not beside it.`, {
      hint: "Put the files it refers to into one folder, or bundle the document into one file.",
    });
  }
  if (url.protocol === "file:") {
    try {
      return await readFile(url, "utf8");
    } catch (error) {
      throw new Failure(`${shown(url)} cannot be read.`, { cause: error });
    }
  }
  try {
    // Headers may be secrets: they go nowhere else.
    const isFollowed = url.href === first.href && Object.keys(headers).length === 0;
    const response = await fetch(url, {
      headers: { accept: "application/json, application/yaml, */*", ...headers },
      redirect: isFollowed ? "follow" : "error",
      signal: AbortSignal.timeout(60_000),
    });
    if (!response.ok) throw new Failure(`${url.href} answered ${response.status} ${response.statusText}.`);
    if (Number(response.headers.get("content-length")) > MOST_BYTES)
      throw new Failure(`${url.href} is too large.`);
    return await response.text();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${url.href} cannot be fetched.`, { cause: error });
  }
}

function parsed(text: string, address: string): unknown {
  try {
    return /^\s*[{[]/.test(text) ? (JSON.parse(text) as unknown) : parseYaml(text);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new Failure(`${shown(new URL(address))} is neither JSON nor YAML: ${why}`, { cause: error });
  }
}

function assertOpenApi(value: unknown, target: string): void {
  const { openapi, swagger, paths } = recordOf(value);
  if (typeof swagger === "string") {
    throw new Failure(`${target} is Swagger ${swagger}, and this reads OpenAPI 3.`, {
      hint: "Convert it first, for example at https://converter.swagger.io.",
    });
  }
  if (!String(openapi).startsWith("3.") || (paths !== undefined && typeof paths !== "object")) {
    throw new Failure(`${target} is no OpenAPI 3 document: it has no \`openapi: 3.…\`.`);
  }
}

/** Every `$ref` that leads to another file. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return Object.entries(value).flatMap(([name, held]) => {
    if (name === "example" || name === "examples" || name === "default") return [];
    if (name === "$ref") return typeof held === "string" && !held.startsWith("#") ? [held] : [];
    return referencesIn(held);
  });
}

function shown(url: URL): string {
  return url.protocol === "file:" ? basename(fileURLToPath(url)) : url.href;
}
