import { type ApiDocument, childrenOf, recordOf, textOf } from "../document/document.js";
import { type Operation, securityOf } from "../document/operations.js";
import { camel, constantFor } from "./source-names.js";

/** Where a request carries what proves who calls. */
export type Scheme =
  | {
      readonly kind: "key";
      readonly in: "header" | "query" | "cookie";
      readonly parameter: string;
      readonly secret: Setting;
    }
  | { readonly kind: "bearer"; readonly secret: Setting }
  | { readonly kind: "basic"; readonly user: Setting; readonly password: Setting }
  | {
      readonly kind: "client";
      readonly id: Setting;
      readonly secret: Setting;
      readonly tokenUrl: string;
      readonly scopes: readonly string[];
    }
  | { readonly kind: "authorization"; readonly secret: Setting };

/** What the environment says, and the member of the settings that holds it. */
export interface Setting {
  readonly member: string;
  readonly variable: string;
}

export interface Credentials {
  /** By their names in the document. */
  readonly schemes: ReadonlyMap<string, Scheme>;
  /** What the whole document asks for; none where it asks for nothing. */
  readonly security: readonly (readonly string[])[];
  /** Schemes that no environment variable can hold, such as certificates. */
  readonly unknown: readonly string[];
}

/**
 * How the operations' callers prove who they are, and the environment variables that say it.
 *
 * @param prefix of the variables' names
 */
export function credentialsOf(
  document: ApiDocument,
  operations: readonly Operation[],
  prefix: string,
): Credentials {
  const declared = childrenOf(document.at(document.root, "components", "securitySchemes"));
  const whole = securityOf(document.root) ?? [];
  const used = new Set(operations.flatMap(({ security = whole }) => security.flat()));
  const settingOf = (name: string): Setting => ({
    member: camel(name),
    variable: `${prefix}_${constantFor(name)}`,
  });
  const kept = declared.filter(({ key }) => used.has(key));
  const tokens = kept.filter(({ part }) => isToken(recordOf(document.follow(part).value)));
  const schemes = new Map<string, Scheme>();
  const unknown: string[] = [];
  for (const { key, part } of kept) {
    const token = settingOf(tokens.length > 1 ? `${key} token` : "token");
    const scheme = schemeOf(recordOf(document.follow(part).value), key, token, settingOf, document);
    if (scheme === undefined) unknown.push(key);
    else schemes.set(key, scheme);
  }
  // What nobody described may still be wanted.
  if (declared.length === 0) schemes.set("", { kind: "authorization", secret: settingOf("authorization") });
  const security = declared.length === 0 ? [[""], []] : knownOnly(whole, schemes);
  return { schemes, security, unknown };
}

/** Alternatives whose schemes are all known. Where none is, what is asked for is left to whoever writes it. */
export function knownOnly(
  security: readonly (readonly string[])[],
  schemes: ReadonlyMap<string, Scheme>,
): readonly (readonly string[])[] {
  const known = security.filter((names) => names.every((name) => schemes.has(name)));
  return known.length === 0 && security.length > 0 ? [[]] : known;
}

function isToken({ type, scheme, flows }: Readonly<Record<string, unknown>>): boolean {
  const isBearer = type === "http" && String(scheme).toLowerCase() === "bearer";
  return isBearer || type === "openIdConnect" || (type === "oauth2" && clientFlow(flows) === undefined);
}

function schemeOf(
  source: Readonly<Record<string, unknown>>,
  key: string,
  token: Setting,
  settingOf: (name: string) => Setting,
  document: ApiDocument,
): Scheme | undefined {
  const { type, scheme, in: place, name, flows } = source;
  if (type === "apiKey" && typeof name === "string" && isPlace(place) && /^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
    return { kind: "key", in: place, parameter: name, secret: settingOf(key) };
  }
  if (type === "http" && String(scheme).toLowerCase() === "basic") {
    const isOnly = /^(http)?_?-?basic/i.test(key);
    const of = (word: string): Setting => settingOf(isOnly ? word : `${key} ${word}`);
    return { kind: "basic", user: of("username"), password: of("password") };
  }
  if (isToken(source)) return { kind: "bearer", secret: token };
  const flow = clientFlow(flows);
  if (type !== "oauth2" || flow === undefined) return undefined;
  return {
    kind: "client",
    id: settingOf("client id"),
    secret: settingOf("client secret"),
    tokenUrl: document.url === undefined ? flow.tokenUrl : new URL(flow.tokenUrl, document.url).href,
    scopes: flow.scopes,
  };
}

function isPlace(place: unknown): place is "header" | "query" | "cookie" {
  return place === "header" || place === "query" || place === "cookie";
}

function clientFlow(
  flows: unknown,
): { readonly tokenUrl: string; readonly scopes: readonly string[] } | undefined {
  const flow = recordOf(recordOf(flows)["clientCredentials"]);
  const tokenUrl = textOf(flow["tokenUrl"]);
  if (tokenUrl === undefined || !URL.canParse(tokenUrl, "https://api.example")) return undefined;
  return { tokenUrl, scopes: Object.keys(recordOf(flow["scopes"])) };
}
