import { type ApiDocument, asList, asObject, asText } from "../document/document.js";
import { toConstantCase } from "../document/names.js";

/** The base URL of an API. Environment variables may determine parts of it. */
export interface ServerUrl {
  /** A URL that may contain `{name}`; undefined if the document has none. */
  readonly template: string | undefined;
  readonly variables: readonly ServerVariable[];
}

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
 * @param server the document's first server, unless given
 * @param prefix the prefix of the environment variables
 */
export function readServerUrl(
  document: ApiDocument,
  prefix: string,
  server: unknown = asList(document.root["servers"])[0],
): ServerUrl {
  if (server === undefined) return { template: document.url?.origin, variables: [] };
  const { url, variables } = asObject(server);
  const template = toAbsoluteUrl(document, asText(url));
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

function toAbsoluteUrl(document: ApiDocument, url: string | undefined): string | undefined {
  if (url === undefined || /^(https?:\/\/|\{)/i.test(url)) return url;
  if (document.url === undefined || /^[a-z][a-z\d+.-]*:/i.test(url)) return undefined;
  // `new URL` would encode the braces.
  const path = url.startsWith("/") ? url : `/${url}`;
  return `${url.startsWith("//") ? document.url.protocol : document.url.origin}${path}`;
}

/** Returns the URL with the defaults of its variables. */
export function getDefaultUrl({ template, variables }: ServerUrl): string | undefined {
  return variables.reduce((url, { name, fallback }) => url?.replaceAll(`{${name}}`, fallback), template);
}
