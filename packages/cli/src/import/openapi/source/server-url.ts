import { type ApiDocument, asList, asObject, asText } from "../document/document.js";
import { toConstantCase } from "../document/names.js";

/** The base URL of an API. Environment variables may determine parts of it. */
export interface ServerUrl {
  /** A URL that may contain `{name}`; undefined if the document has none. */
  readonly template: string | undefined;
  readonly variables: readonly ServerVariable[];
}

/** A variable in a base URL. */
export interface ServerVariable {
  readonly name: string;
  /** The environment variable. */
  readonly variable: string;
  readonly fallback: string;
  readonly allowed: readonly string[];
}

/**
 * Reads a server object. A relative URL is relative to the document.
 *
 * @param server the server object. Default: the document's first
 * @param prefix the prefix of the environment variables
 */
export function readServerUrl(
  document: ApiDocument,
  prefix: string,
  server: unknown = asList(document.root["servers"])[0],
): ServerUrl {
  const [documentServer] = asList(document.root["servers"]);
  if (server === undefined) return { template: document.url?.origin, variables: [] };
  const { url, variables } = asObject(server);
  const found = toAbsoluteUrl(document, asText(url));
  // The base URL of the API cannot be relative to itself.
  const isUnknown = server === documentServer && found !== undefined && !/^(https?:|\{)/i.test(found);
  const template = isUnknown ? undefined : omitUserInfo(found);
  const used = Object.entries(asObject(variables)).filter(([name]) => template?.includes(`{${name}}`));
  return {
    template,
    variables: used.map(([name, each]) => {
      const { default: fallback, enum: allowed } = asObject(each);
      return {
        name,
        variable: `${prefix}_${toConstantCase(name)}`,
        fallback: typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "",
        allowed: asList(allowed).filter((value) => typeof value === "string"),
      };
    }),
  };
}

/** Returns the URL relative to the document. Without the document's URL, it stays relative to the base URL of the API. */
function toAbsoluteUrl(document: ApiDocument, url: string | undefined): string | undefined {
  if (url === undefined || /^(https?:\/\/|\{)/i.test(url)) return url;
  if (/^[a-z][a-z\d+.-]*:/i.test(url)) return undefined;
  // `new URL` would encode the braces.
  const encoded = document.url && new URL(url, document.url).href;
  return encoded === undefined ? url : encoded.replaceAll("%7B", "{").replaceAll("%7D", "}");
}

/** Removes the user name and password of a URL, which the source must not contain, and `fetch` would reject. A variable may determine the scheme. */
function omitUserInfo(url: string | undefined): string | undefined {
  return url?.replace(/^((?:https?|\{[^{}]*\}):\/\/)[^/?#]*@/i, "$1");
}

/** Returns the URL with the defaults of its variables. */
export function getDefaultUrl({ template, variables }: ServerUrl): string | undefined {
  return variables.reduce((url, { name, fallback }) => url?.replaceAll(`{${name}}`, fallback), template);
}
