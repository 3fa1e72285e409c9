import {
  type ApiDocument,
  childOf,
  childrenOf,
  listOf,
  type Part,
  recordOf,
  textOf,
} from "../document/document.js";
import { constantFor } from "./source-names.js";

/** Where an API is: fixed by the document, but for what the environment may say. */
export interface ServerAddress {
  /** A URL with `{name}` in it; undefined where the document does not say. */
  readonly template: string | undefined;
  readonly variables: readonly AddressVariable[];
}

export interface AddressVariable {
  readonly name: string;
  /** The environment variable. */
  readonly variable: string;
  readonly fallback: string;
  readonly allowed: readonly string[];
}

/** @param prefix of the variables' names */
export function addressOfServer(document: ApiDocument, prefix: string): ServerAddress {
  const [first] = childrenOf(childOf(document.root, "servers"));
  if (first === undefined) return { template: document.url?.origin, variables: [] };
  return readServer(document, first.part, prefix);
}

/** The address of a server object, whole: one that is relative is beside the document. */
export function readServer(document: ApiDocument, server: Part, prefix: string): ServerAddress {
  const url = textOf(recordOf(server.value)["url"]);
  const variables = childrenOf(childOf(server, "variables")).map(({ key, part }) => {
    const { default: fallback, enum: allowed } = recordOf(part.value);
    return {
      name: key,
      variable: `${prefix}_${constantFor(key)}`,
      fallback: typeof fallback === "string" || typeof fallback === "number" ? String(fallback) : "",
      allowed: listOf(allowed).filter((each): each is string => typeof each === "string"),
    };
  });
  const used = variables.filter(({ name }) => url?.includes(`{${name}}`));
  return { template: url === undefined ? undefined : absolute(document, url), variables: used };
}

function absolute(document: ApiDocument, url: string): string | undefined {
  if (/^(https?:\/\/|\{)/i.test(url)) return url;
  if (document.url === undefined || /^[a-z][a-z\d+.-]*:/i.test(url)) return undefined;
  // Braces would be written otherwise in a URL.
  const path = url.startsWith("/") ? url : `/${url}`;
  return `${url.startsWith("//") ? document.url.protocol : document.url.origin}${path}`;
}

/** The address that an operation's own server has: with the variables as they are by default. */
export function plainAddress({ template, variables }: ServerAddress): string | undefined {
  return variables.reduce<string | undefined>(
    (url, { name, fallback }) => url?.replaceAll(`{${name}}`, fallback),
    template,
  );
}
