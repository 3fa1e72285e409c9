/**
 * The server card, which describes a server to clients that have not connected yet, and the catalog in which they find it.
 * Experimental: both follow drafts, which may change.
 *
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127
 * @see https://github.com/modelcontextprotocol/experimental-ext-server-card
 * @module
 */
import { digest } from "../../../access/encryption/digest.js";
import type { ServerCard } from "../../../api/server-card.js";
import { listRevisionIds } from "../../../protocol/revisions.js";
import type { Implementation } from "../../../protocol/specification.js";
import type { ExchangeHandler, HttpExchange } from "../exchange/exchange.js";
import { findPublicUrl } from "../exchange/public-url.js";
import { reject } from "../exchange/rejection.js";
import type { ServableCard } from "./servable-card.js";
import { parseUrl } from "../../../protocol/parse-url.js";
import { checkOptionNames } from "../../../data/options/check-option-names.js";

export type { ServerCard } from "../../../api/server-card.js";

/** Options of `serverCard`. */
export interface ServerCardOptions {
  /**
   * The name of the server in the MCP registry: your domain name in reverse order, a slash, and a name.
   *
   * @example
   * name: "com.example/weather"
   */
  name: string;
  /** Description of the server, of 1 to 100 characters. Default: the description of the server. */
  description?: string | undefined;
  /**
   * The URL at which clients connect. Default: the `resource` option of `oauth`. Otherwise, it is derived from the request, which does
   * not show changes to the path by a proxy.
   */
  url?: string | undefined;
  /** The repository with the source code. */
  repository?: CardRepository | undefined;
  /** The headers that clients must or may send, such as one with an API key. */
  headers?: readonly CardHeader[] | undefined;
}

/** The repository of a server. */
export interface CardRepository {
  /** URL of the repository, for browsers and for `git clone`. */
  url: string;
  /** The service that hosts it, such as `github`. */
  source: string;
  /** The path of the server in the repository. */
  subfolder?: string | undefined;
  /** The ID of the repository at that service. */
  id?: string | undefined;
}

/** A header that a client sends. */
export interface CardHeader {
  /** Name of the header. */
  name: string;
  /** Explanation for the user. */
  description?: string | undefined;
  /** Whether clients must send it. */
  isRequired?: boolean | undefined;
  /** Whether its value is secret. */
  isSecret?: boolean | undefined;
}

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";
const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";
const CATALOG_PATH = "/.well-known/ai-catalog.json";

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_NAME_CHARACTERS = 200;
/** The maximum length of a title or a description. */
const MAX_TEXT_CHARACTERS = 100;
const MAX_VERSION_CHARACTERS = 255;

/**
 * Creates the card for `defineServer({ http: { card } })`. The server then serves the card at `/mcp/server-card`, and a
 * catalog with it at `/.well-known/ai-catalog.json`, to anyone, without a login, and to pages of any origin. Neither lists
 * tools. Experimental: both follow drafts, which may change.
 *
 * @throws TypeError for an invalid option
 * @example
 * defineServer({ http: { card: serverCard({ name: "com.example/weather" }) } })
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/2127
 */
export function serverCard(options: ServerCardOptions): ServerCard {
  checkOptionNames<ServerCardOptions>("serverCard", options, {
    name: true,
    description: true,
    url: true,
    repository: true,
    headers: true,
  });
  checkCardOptions(options);
  const { name, url: configuredUrl, repository, headers } = options;
  const card: ServableCard = {
    name,
    serve: ({ info, auth, path, guard }) => {
      const details = describeServer(options, info);
      const findUrl = (exchange: HttpExchange): string | undefined =>
        configuredUrl ?? findPublicUrl(exchange, path, auth)?.url;
      const createCard = (url: string): object => ({
        $schema: SCHEMA,
        name,
        ...details,
        repository,
        remotes: [{ type: "streamable-http", url, headers, supportedProtocolVersions: listRevisionIds() }],
      });
      const createCatalog = (url: string): object => ({
        specVersion: "1.0",
        entries: [{ identifier: toIdentifier(name), type: CARD_TYPE, url: toCardUrl(url) }],
      });
      return new Map([
        [toCardUrl(path), guard(createDocumentHandler(CARD_TYPE, findUrl, createCard))],
        [CATALOG_PATH, guard(createDocumentHandler(CATALOG_TYPE, findUrl, createCatalog))],
      ]);
    },
  };
  return card;
}

/**
 * Checks the options, whose types may be unknown.
 *
 * @throws TypeError for an invalid one
 */
function checkCardOptions({ name, description, url, repository, headers = [] }: ServerCardOptions): void {
  if (typeof name !== "string" || !NAME.test(name) || name.length > MAX_NAME_CHARACTERS)
    throw new TypeError(
      `serverCard: \`name\` must be your domain name in reverse order, a slash, and a name, such as "com.example/weather" (got ${JSON.stringify(name)})`,
    );
  if (description !== undefined && !isText(description, MAX_TEXT_CHARACTERS))
    throw new TypeError(
      `serverCard: \`description\` must have 1 to ${MAX_TEXT_CHARACTERS} characters (got ${JSON.stringify(description)})`,
    );
  if (url !== undefined && !isWebUrl(url))
    throw new TypeError(
      `serverCard: \`url\` must be the URL at which clients connect, such as "https://mcp.example.com/mcp" (got ${JSON.stringify(url)})`,
    );
  if (repository !== undefined && !(isWebUrl(repository.url) && isText(repository.source, Infinity)))
    throw new TypeError(
      'serverCard: `repository` must have a `url` and a `source`, such as { url: "https://github.com/ada/weather", source: "github" }',
    );
  if (!Array.isArray(headers) || !headers.every((each: CardHeader) => isText(each.name, Infinity)))
    throw new TypeError(
      'serverCard: `headers` must be a list of headers, such as [{ name: "X-API-Key", isSecret: true }]',
    );
}

/**
 * Returns the members of a card that describe the server.
 *
 * @throws TypeError if the server lacks them, or a card cannot contain them
 */
function describeServer(
  { description: own }: ServerCardOptions,
  { version, title, description = "", websiteUrl, icons }: Implementation,
): object {
  const text = own ?? description;
  if (!isText(text, MAX_TEXT_CHARACTERS))
    throw new TypeError(
      `http.card: the description of the server has ${text.length} characters, but a card needs 1 to ${MAX_TEXT_CHARACTERS}. Set \`description\` of serverCard.`,
    );
  if (title !== undefined && !isText(title, MAX_TEXT_CHARACTERS))
    throw new TypeError(
      `http.card: the title of the server has ${title.length} characters, but a card may have at most ${MAX_TEXT_CHARACTERS}. Shorten \`title\` of defineServer.`,
    );
  if (!isText(version, MAX_VERSION_CHARACTERS))
    throw new TypeError(
      `http.card: the version of the server has ${version.length} characters, but a card may have at most ${MAX_VERSION_CHARACTERS}. Shorten \`version\` of defineServer.`,
    );
  return { version, description: text, title, websiteUrl, icons };
}

/**
 * Returns the identifier of a server in catalogs.
 *
 * @example
 * toIdentifier("com.example/weather") // "urn:air:example.com:mcp:weather"
 */
function toIdentifier(registryName: string): string {
  const [namespace = "", name = ""] = registryName.split("/");
  return `urn:air:${namespace.split(".").toReversed().join(".")}:mcp:${name}`;
}

/** Returns the URL or path of the card of the server at a URL or path. */
function toCardUrl(url: string): string {
  return `${url.replace(/\/$/, "")}/server-card`;
}

/** Creates a handler that responds with a document about the URL that clients connect to. */
function createDocumentHandler(
  type: string,
  findUrl: (exchange: HttpExchange) => string | undefined,
  create: (url: string) => object,
): ExchangeHandler {
  return (exchange) => {
    const { method, header, headers } = exchange;
    Object.assign(headers, {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET",
      "access-control-allow-headers": "Content-Type, If-None-Match",
      "access-control-expose-headers": "ETag",
    });
    if (method === "OPTIONS") return exchange.respond(204);
    if (method !== "GET" && method !== "HEAD") {
      headers.allow = "GET, HEAD";
      return reject(exchange, 405, "Use GET.");
    }
    const url = findUrl(exchange);
    if (url === undefined) return reject(exchange, 400, "The request has no valid URL.");
    const document = create(url);
    const tag = `"${digest(document)}"`;
    Object.assign(headers, { "content-type": type, "cache-control": "public, max-age=3600", etag: tag });
    if (header("if-none-match")?.includes(tag) === true) return exchange.respond(304);
    exchange.respond(200, method === "HEAD" ? undefined : JSON.stringify(document));
  };
}

function isText(value: unknown, maxLength: number): boolean {
  return typeof value === "string" && value !== "" && value.length <= maxLength;
}

function isWebUrl(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/\S+$/.test(value) && parseUrl(value) !== undefined;
}
