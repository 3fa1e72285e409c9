import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { maskSecrets } from "@tenon/runtime/log";
import { parse as parseYaml } from "yaml";
import { type Headers, separateCredentials } from "../../../remote/remote-headers.js";
import { formatUrl } from "../../../remote/remote-target.js";
import { Failure } from "../../../terminal/failure.js";
import { type ApiDocument, asObject, createDocument, findReferences, splitReference } from "./document.js";

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 500;
const FETCH_TIMEOUT_MS = 60_000;

/** The options for loading a document. */
export interface LoadOptions {
  /** The folder that relative paths start from, absolute. */
  cwd: string;
  /** Headers of every request. */
  headers: Headers;
}

/**
 * Reads an OpenAPI document, JSON or YAML, with all files that it refers to. A local document may refer to other
 * files, and a fetched one only to its own origin, so that its author cannot make this machine read anything else. An
 * OpenAPI parser would also need this rule, and would add 5 to 23 packages to every project.
 *
 * @param target a path or a URL
 * @throws Failure if something cannot be read, or is not an OpenAPI 3 document
 */
export async function loadDocument(target: string, options: LoadOptions): Promise<ApiDocument> {
  const isUrl = /^https?:/.test(target);
  if (isUrl && !URL.canParse(target))
    throw new Failure(`${formatDocument(target)} is not a URL.`, { exitCode: 2 });
  const { url: root, headers } = isUrl
    ? separateCredentials(new URL(target), options.headers)
    : { url: pathToFileURL(resolve(options.cwd, target)), headers: options.headers };
  root.hash = "";
  const shown = formatDocument(target);
  const files = new Map<string, unknown>();
  const pending = [root.href];
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    if (files.has(address)) continue;
    if (files.size > MAX_FILES) throw new Failure(`${shown} refers to more than ${MAX_FILES} other files.`);
    const url = resolveWithinOrigin(address, root);
    const text = await (url.protocol === "file:" ? readLocal(url) : fetchText(url, root, headers));
    const value = parseFile(text, url);
    if (files.size === 0) assertOpenApi(value, shown);
    files.set(address, value);
    for (const { $ref } of findReferences(value)) pending.push(splitReference($ref, address)[0]);
  }
  return createDocument(files, isUrl ? root : undefined);
}

function resolveWithinOrigin(address: string, root: URL): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && url.protocol === root.protocol && url.host === root.host) return url;
  throw new Failure(`The document refers to ${address}, which has another origin.`, {
    hint: "Put all files that it refers to into one folder, or bundle the document into one file.",
  });
}

async function readLocal(url: URL): Promise<string> {
  try {
    return await readFile(url, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read: ${(error as Error).message}`;
    throw new Failure(`${getDisplayName(url)} ${reason}.`, { cause: error });
  }
}

/** Formats the path or the URL of a document for people, without secrets. */
export function formatDocument(target: string): string {
  return URL.canParse(target) && /^https?:/.test(target) ? formatUrl(new URL(target)) : maskSecrets(target);
}

async function fetchText(url: URL, root: URL, headers: Headers): Promise<string> {
  // Headers may be secrets, so they are not sent elsewhere.
  const isFollowed = url.href === root.href && Object.keys(headers).length === 0;
  try {
    const response = await fetch(url, {
      headers: { accept: "application/json, application/yaml, */*", ...headers },
      redirect: isFollowed ? "follow" : "error",
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok)
      throw new Failure(`${formatUrl(url)} returned ${response.status} ${response.statusText}.`);
    if (Number(response.headers.get("content-length")) > MAX_FILE_BYTES)
      throw new Failure(`${formatUrl(url)} exceeds 64 MiB.`);
    return await response.text();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${formatUrl(url)} cannot be fetched.`, { cause: error });
  }
}

function parseFile(text: string, url: URL): unknown {
  try {
    return /^\s*[{[]/.test(text) ? (JSON.parse(text) as unknown) : parseYaml(text);
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new Failure(`${getDisplayName(url)} is neither JSON nor YAML: ${reason}`, { cause: error });
  }
}

function assertOpenApi(value: unknown, target: string): void {
  const { openapi, swagger, paths } = asObject(value);
  if (typeof swagger === "string") {
    throw new Failure(`${target} is a Swagger ${swagger} document. \`tenon import\` requires OpenAPI 3.`, {
      hint: "Convert it first, for example at https://converter.swagger.io.",
    });
  }
  if (!String(openapi).startsWith("3.") || (paths !== undefined && typeof paths !== "object")) {
    throw new Failure(`${target} is not an OpenAPI 3 document: it has no \`openapi: 3.…\`.`);
  }
}

function getDisplayName(url: URL): string {
  return url.protocol === "file:" ? basename(fileURLToPath(url)) : formatUrl(url);
}
