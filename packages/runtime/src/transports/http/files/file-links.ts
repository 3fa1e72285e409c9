/**
 * Links to files that are too large for a result. The server stores each file in a folder, and serves it until the link
 * expires.
 *
 * @module
 */
import { decryptText, encryptText, readStateKeys } from "../../../access/encryption/encryption.js";
import { ToolError } from "../../../api/errors.js";
import type { FileLinks } from "../../../api/file-links.js";
import { formatByteCount, formatExcess } from "../../../data/problems/format-byte-count.js";
import { UNKNOWN_BYTES } from "../../../data/results/content-check.js";
import type { HttpExchange } from "../exchange/exchange.js";
import { reject } from "../exchange/rejection.js";
import { getRequestParameters } from "../exchange/request-path.js";
import { createResponseSender } from "../exchange/relay.js";
import { FileStore, FolderFullError } from "./file-store.js";
import type { ServableLinks } from "./servable-links.js";
import { parseUrl } from "../../../protocol/parse-url.js";
import { checkOptionNames } from "../../../data/options/check-option-names.js";

export type { FileLinks } from "../../../api/file-links.js";

/** Options of `fileLinks`. */
export interface FileLinkOptions {
  /**
   * The URL of the files, as clients reach it. The server serves its path, which must differ from the path for MCP clients.
   *
   * @example
   * url: "https://mcp.example.com/files"
   */
  url: string;
  /** The folder in which the files are stored. The server creates it, and deletes expired files. */
  folder: string;
  /** Lifetime of a link in milliseconds. Default: one hour. */
  lifetimeMs?: number | undefined;
  /**
   * Maximum size of all stored files together, in bytes. Storing a file for which there is no space fails. Default: 1 GiB.
   */
  maxFolderBytes?: number | undefined;
}

const DEFAULT_MAX_FOLDER_BYTES = 1024 ** 3;

const HOUR_MS = 60 * 60 * 1000;

/** Maximum lifetime of a link, in milliseconds: about a year. */
const MAX_LIFETIME_MS = 366 * 24 * HOUR_MS;

const PURPOSE = "tenon file link";

/** The content of a link, encrypted and authenticated. */
interface Ticket {
  /** The name in the store. */
  id: string;
  /** The name that the file is saved as. */
  name: string;
  type: string;
  /** The time in milliseconds since 1970. */
  expires: number;
}

/**
 * Creates the links for `defineServer({ files: { links } })`: over HTTP, a file that is larger than
 * `limits.maxEmbeddedFileBytes` becomes a link. Anyone with the link can download the file until it expires, without
 * credentials. Links are encrypted with `TENON_STATE_KEYS`, which several processes must share, like the folder; without
 * keys, links are valid until the process ends. A link is valid only for the server's `name`. Requires Node.js.
 *
 * @throws TypeError for an invalid option
 * @example
 * defineServer({
 *   files: { links: fileLinks({ url: "https://mcp.example.com/files", folder: "files" }) },
 * })
 */
export function fileLinks(options: FileLinkOptions): FileLinks {
  checkOptionNames<FileLinkOptions>("fileLinks", options, {
    url: true,
    folder: true,
    lifetimeMs: true,
    maxFolderBytes: true,
  });
  const { url, folder, lifetimeMs = HOUR_MS, maxFolderBytes = DEFAULT_MAX_FOLDER_BYTES } = options;
  checkLinkOptions({ url, folder, lifetimeMs, maxFolderBytes });
  const store = new FileStore(folder, maxFolderBytes);
  const keys = readStateKeys(process.env.TENON_STATE_KEYS, PURPOSE);
  const links: ServableLinks = {
    url,
    store: async (file, name, serverName, signal) => {
      const expiresAt = new Date(Date.now() + lifetimeMs);
      const id = await store.write(file, expiresAt, signal).catch((error: unknown) => {
        throw error instanceof FolderFullError
          ? createNoSpaceError(file, name, maxFolderBytes, error)
          : error;
      });
      const ticket: Ticket = { id, name, type: file.type, expires: expiresAt.getTime() };
      const link = new URL(url);
      link.searchParams.set("file", encryptText(JSON.stringify(ticket), keys, createBinding(serverName)));
      return { url: link.href, expiresAt };
    },
    serve: (serverName, guard) => {
      const handle = guard((exchange) => {
        const given = getRequestParameters(exchange.target).get("file") ?? "";
        const text = decryptText(given, keys, createBinding(serverName));
        const ticket = text === undefined ? undefined : (JSON.parse(text) as Ticket);
        // Without a response, the request would wait forever, and the unhandled error would end the process.
        serveFile(exchange, ticket, store).catch(() => reject(exchange, 500, "The file cannot be read."));
      });
      return new Map([[new URL(url).pathname, handle]]);
    },
  };
  return links;
}

/** Returns the binding of a server's links: other servers with the same keys and the same folder do not serve them. */
function createBinding(serverName: string): string {
  return JSON.stringify([PURPOSE, serverName]);
}

/**
 * Checks the options, whose types may be unknown.
 *
 * @throws TypeError for an invalid one
 */
function checkLinkOptions({ url, folder, lifetimeMs, maxFolderBytes }: Required<FileLinkOptions>): void {
  const parsed = typeof url === "string" ? parseUrl(url) : undefined;
  if (!/^https?:$/.test(parsed?.protocol ?? "") || parsed?.pathname === "/" || parsed?.search !== "")
    throw new TypeError(
      `fileLinks: \`url\` must be a URL with a path, such as "https://mcp.example.com/files" (got ${JSON.stringify(url)})`,
    );
  if (typeof folder !== "string" || folder === "")
    throw new TypeError(`fileLinks: \`folder\` must be the path of a folder (got ${JSON.stringify(folder)})`);
  if (typeof lifetimeMs !== "number" || !(lifetimeMs > 0 && lifetimeMs <= MAX_LIFETIME_MS))
    throw new TypeError(
      `fileLinks: \`lifetimeMs\` must be a number of milliseconds, at most a year (got ${String(lifetimeMs)})`,
    );
  if (typeof maxFolderBytes !== "number" || !(Number.isSafeInteger(maxFolderBytes) && maxFolderBytes > 0))
    throw new TypeError(
      `fileLinks: \`maxFolderBytes\` must be a number of bytes (got ${String(maxFolderBytes)})`,
    );
}

/** Returns the error for a file that cannot be stored. Its cause tells the operator what to change. */
function createNoSpaceError(file: Blob, name: string, maxBytes: number, cause: FolderFullError): ToolError {
  const { size } = file;
  const message =
    size > maxBytes
      ? `The file "${name}" is ${formatExcess(size, maxBytes)} in size, but the server stores at most ${formatByteCount(maxBytes)}.`
      : `The server has no space for the file "${name}" (${formatByteCount(size)}) until others expire. Try again later.`;
  return new ToolError(message, { cause });
}

async function serveFile(
  exchange: HttpExchange,
  ticket: Ticket | undefined,
  store: FileStore,
): Promise<void> {
  const { method, headers } = exchange;
  if (method !== "GET" && method !== "HEAD") {
    headers.allow = "GET, HEAD";
    return reject(exchange, 405, "Use GET.");
  }
  if (ticket === undefined) return reject(exchange, 404, "The link is invalid.");
  if (ticket.expires < Date.now()) return reject(exchange, 410, "The link has expired.");
  const file = await store.read(ticket.id);
  if (file === undefined) return reject(exchange, 404, "The file does not exist.");
  const body = method === "HEAD" ? null : file.stream();
  const response = new Response(body as ReadableStream | null, {
    headers: {
      "content-type": ticket.type === "" ? UNKNOWN_BYTES : ticket.type,
      "content-length": String(file.size),
      "content-disposition": `attachment; filename*=UTF-8''${encodeParameter(ticket.name)}`,
      "cache-control": "private, no-store",
      // A browser must neither guess another type nor run a page that a file contains.
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    },
  });
  // A client that disconnects, or a file that cannot be read to its end, ends the connection.
  await exchange.sendWith(createResponseSender(response, exchange)).catch(() => undefined);
}

/**
 * Encodes a parameter of a header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8187
 */
function encodeParameter(text: string): string {
  return encodeURIComponent(text).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
}
