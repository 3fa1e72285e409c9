import { type ApiDocument, asObject, asText, type JsonObject } from "../document/document.js";
import { type Operation, readSecurity, type SecurityRequirements } from "../document/operations.js";
import { toCamelCase, toConstantCase } from "../document/names.js";

/** A member of the client's settings, and the environment variable that it is read from. */
export interface Setting {
  readonly member: string;
  readonly variable: string;
  readonly about: string;
}

/** A security scheme that the client implements. */
export interface Scheme {
  readonly settings: readonly Setting[];
  /** The call to the client's function for it. */
  readonly source: string;
}

/** The security schemes of an API. */
export interface Credentials {
  /** By their names in the document. */
  readonly schemes: ReadonlyMap<string, Scheme>;
  /** The requirements of the whole document; empty if it has none. */
  readonly security: SecurityRequirements;
  /** Schemes that no environment variable can hold, such as certificates. */
  readonly unknown: readonly string[];
}

/**
 * Plans the credentials that the operations need, and the environment variables that hold them.
 *
 * @param prefix the prefix of the variables
 */
export function planCredentials(
  document: ApiDocument,
  operations: readonly Operation[],
  prefix: string,
): Credentials {
  const { securitySchemes } = document.resolve(document.root["components"]);
  const declared = Object.entries(document.resolve(securitySchemes));
  const createSetting = (name: string, about: string): Setting => ({
    member: toCamelCase(name),
    variable: `${prefix}_${toConstantCase(name)}`,
    about,
  });
  if (declared.length === 0) {
    // An API may require credentials that its document does not describe.
    const about = "the value of the `Authorization` header, if the API requires one";
    const scheme = createScheme(
      "apiKey",
      ['"header"', '"authorization"'],
      [createSetting("authorization", about)],
    );
    return { schemes: new Map([["authorization", scheme]]), security: [["authorization"], []], unknown: [] };
  }
  const whole = readSecurity(document.root) ?? [];
  const used = new Set(operations.flatMap(({ security = whole }) => security.flat()));
  const needed = declared
    .filter(([name]) => used.has(name))
    .map(([name, each]) => [name, document.resolve(each)] as const);
  const hasManyTokens = needed.filter(([, scheme]) => isToken(scheme)).length > 1;
  const found = needed.map(([name, scheme]) => {
    const tokenName = hasManyTokens ? `${name} token` : "token";
    return [name, planScheme(scheme, name, tokenName, createSetting, document)] as const;
  });
  const schemes = new Map(found.flatMap(([name, scheme]) => (scheme ? [[name, scheme] as const] : [])));
  const unknown = found.flatMap(([name, scheme]) => (scheme ? [] : [name]));
  return { schemes, security: findKnownAlternatives(whole, schemes), unknown };
}

/** Returns the alternatives whose schemes are all known. If there is none, the user must implement the authentication. */
export function findKnownAlternatives(
  security: SecurityRequirements,
  schemes: ReadonlyMap<string, Scheme>,
): SecurityRequirements {
  const known = security.filter((names) => names.every((name) => schemes.has(name)));
  return known.length === 0 && security.length > 0 ? [[]] : known;
}

function planScheme(
  scheme: JsonObject,
  key: string,
  tokenName: string,
  createSetting: (name: string, about: string) => Setting,
  document: ApiDocument,
): Scheme | undefined {
  const { type, scheme: httpScheme, in: location, name, flows } = scheme;
  if (type === "apiKey" && typeof name === "string" && /^[!#$%&'*+.^`|~\w-]+$/.test(name)) {
    if (location !== "header" && location !== "query" && location !== "cookie") return undefined;
    const setting = createSetting(key, `the key that is sent as ${location} \`${name}\``);
    return createScheme("apiKey", [JSON.stringify(location), JSON.stringify(name)], [setting]);
  }
  if (type === "http" && String(httpScheme).toLowerCase() === "basic") {
    const start = /^(http)?_?-?basic/i.test(key) ? "" : `${key} `;
    const user = createSetting(`${start}username`, "the user name");
    return createScheme("basic", [], [user, createSetting(`${start}password`, "the password")]);
  }
  if (isToken(scheme)) return createScheme("bearer", [], [createSetting(tokenName, "the bearer token")]);
  const flow = getClientCredentialsFlow(flows);
  if (type !== "oauth2" || flow === undefined) return undefined;
  const tokenUrl = document.url === undefined ? flow.tokenUrl : new URL(flow.tokenUrl, document.url).href;
  return createScheme(
    "clientCredentials",
    [JSON.stringify(tokenUrl), JSON.stringify(flow.scopes.join(" ")), "settings.url"],
    [createSetting("client id", "the client ID"), createSetting("client secret", "the client secret")],
  );
}

/** Returns the call to a function of the client, whose last arguments are the settings and the names of their variables. */
function createScheme(name: string, given: readonly string[], settings: readonly Setting[]): Scheme {
  const members = settings.map(({ member }) => `settings.${member}`);
  const variables = settings.map(({ variable }) => variable).join(" and ");
  return { settings, source: `${name}(${[...given, ...members, JSON.stringify(variables)].join(", ")})` };
}

function isToken({ type, scheme, flows }: JsonObject): boolean {
  const isBearer = type === "http" && String(scheme).toLowerCase() === "bearer";
  return (
    isBearer ||
    type === "openIdConnect" ||
    (type === "oauth2" && getClientCredentialsFlow(flows) === undefined)
  );
}

function getClientCredentialsFlow(
  flows: unknown,
): { readonly tokenUrl: string; readonly scopes: readonly string[] } | undefined {
  const { tokenUrl, scopes } = asObject(asObject(flows)["clientCredentials"]);
  const url = asText(tokenUrl);
  if (url === undefined || !URL.canParse(url, "https://api.example")) return undefined;
  return { tokenUrl: url, scopes: Object.keys(asObject(scopes)) };
}
