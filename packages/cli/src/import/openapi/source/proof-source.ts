import { property } from "./source-text.js";
import type { Credentials, Scheme, Setting } from "./credentials.js";

/** What the written client does to prove who calls. */
export interface ProofSource {
  /** Methods of the class. */
  readonly methods: string;
  readonly types: string;
  readonly places: ReadonlySet<"header" | "query" | "cookie">;
  /** True where a token has to be fetched first. */
  readonly isAsync: boolean;
}

/** The settings that hold credentials, each once, and what they are for. */
export function settingsIn({
  schemes,
}: Credentials): { readonly setting: Setting; readonly about: string }[] {
  const found = new Map<string, { readonly setting: Setting; readonly about: string }>();
  const add = (setting: Setting, about: string): void => {
    if (!found.has(setting.member)) found.set(setting.member, { setting, about });
  };
  for (const scheme of schemes.values()) {
    if (scheme.kind === "key")
      add(scheme.secret, `the key that is sent as ${scheme.in} \`${scheme.parameter}\``);
    else if (scheme.kind === "bearer") add(scheme.secret, "the bearer token");
    else if (scheme.kind === "authorization")
      add(scheme.secret, "the whole header `Authorization`, if the API asks for one");
    else if (scheme.kind === "basic") {
      add(scheme.user, "the name of who calls");
      add(scheme.password, "the password of who calls");
    } else {
      add(scheme.id, "the id of the client at the authorization server");
      add(scheme.secret, "the secret of the client");
    }
  }
  return [...found.values()];
}

export function proofSource({ schemes }: Credentials): ProofSource {
  const kinds = [...schemes.values()];
  const isAsync = kinds.some(({ kind }) => kind === "client");
  const places = new Set(kinds.map((scheme) => (scheme.kind === "key" ? scheme.in : "header")));
  const members = [
    places.has("header") && "  readonly headers?: Readonly<Record<string, string>>;",
    places.has("query") && "  readonly query?: Readonly<Record<string, string>>;",
    places.has("cookie") && "  readonly cookies?: Readonly<Record<string, string>>;",
  ].filter((each) => each !== false);
  const types = `/** What a request carries to prove who calls. */
interface Proof {
${members.join("\n")}
}${isAsync ? `\n\n${TOKEN_TYPE}` : ""}`;
  const cases = [...schemes].map(([name, scheme]) => caseSource(name, scheme)).join("\n");
  const merged = [
    places.has("header") && "headers: Object.assign({}, ...proofs.map((proof) => proof.headers))",
    places.has("query") && "query: Object.assign({}, ...proofs.map((proof) => proof.query))",
    places.has("cookie") && "cookies: Object.assign({}, ...proofs.map((proof) => proof.cookies))",
  ].filter((each) => each !== false);
  const variables = [...schemes].map(
    ([name, scheme]) => `  ${property(name)}: ${JSON.stringify(variablesOf(scheme))},`,
  );
  const methods = `
  /** By the first alternative for which the environment has all credentials; by none where none is asked for. */
  async #proofFor(security: Security${isAsync ? ", signal: AbortSignal" : ""}): Promise<Proof> {
    for (const names of security.filter((each) => each.length > 0)) {
      const found = ${isAsync ? "await Promise.all(names.map((name) => this.#proof(name, signal)))" : "names.map((name) => this.#proof(name))"};
      const proofs = found.filter((each) => each !== undefined);
      if (proofs.length === names.length) return { ${merged.join(", ")} };
    }
    if (security.length === 0 || security.some((each) => each.length === 0)) return {};
    const missing = security.map((names) => names.map((name) => VARIABLES[name]).join(" and "));
    throw new ToolError(\`The server has no credentials for the API. Its environment has to set \${missing.join(", or ")}.\`);
  }

  ${isAsync ? "async " : ""}#proof(name: Security[number][number]${isAsync ? ", signal: AbortSignal" : ""}): ${isAsync ? "Promise<Proof | undefined>" : "Proof | undefined"} {
    const settings = this.#settings;
    switch (name) {
${cases}
    }
  }${isAsync ? `\n${TOKEN_METHOD}` : ""}`;
  const table = `/** What has to be set for each. */
const VARIABLES: Readonly<Record<Security[number][number], string>> = {
${variables.join("\n")}
};`;
  return { methods, types: `${types}\n\n${table}`, places, isAsync };
}

function variablesOf(scheme: Scheme): string {
  if (scheme.kind === "basic") return `${scheme.user.variable} and ${scheme.password.variable}`;
  if (scheme.kind === "client") return `${scheme.id.variable} and ${scheme.secret.variable}`;
  return scheme.secret.variable;
}

function caseSource(name: string, scheme: Scheme): string {
  const start = `      case ${JSON.stringify(name)}:`;
  const when = (member: string, proof: string): string =>
    `${start}\n        return settings.${member} === undefined ? undefined : ${proof};`;
  if (scheme.kind === "key") {
    const place = { header: "headers", query: "query", cookie: "cookies" }[scheme.in];
    const key = JSON.stringify(scheme.parameter);
    return when(scheme.secret.member, `{ ${place}: { ${key}: settings.${scheme.secret.member} } }`);
  }
  if (scheme.kind === "bearer") {
    const { member } = scheme.secret;
    return when(member, `{ headers: { authorization: \`Bearer \${settings.${member}}\` } }`);
  }
  if (scheme.kind === "authorization") {
    const { member } = scheme.secret;
    return when(member, `{ headers: { authorization: settings.${member} } }`);
  }
  if (scheme.kind === "basic") {
    const [user, password] = [scheme.user.member, scheme.password.member];
    return `${start} {
        if (settings.${user} === undefined) return undefined;
        const pair = \`\${settings.${user}}:\${settings.${password} ?? ""}\`;
        return { headers: { authorization: \`Basic \${Buffer.from(pair).toString("base64")}\` } };
      }`;
  }
  const [id, secret] = [scheme.id.member, scheme.secret.member];
  const [url, scopes] = [JSON.stringify(scheme.tokenUrl), JSON.stringify(scheme.scopes.join(" "))];
  return `${start} {
        if (settings.${id} === undefined || settings.${secret} === undefined) return undefined;
        const token = await this.#fetchToken(${url}, settings.${id}, settings.${secret}, ${scopes}, signal);
        return { headers: { authorization: \`Bearer \${token}\` } };
      }`;
}

const TOKEN_TYPE = `interface Token {
  readonly text: string;
  /** In milliseconds since 1970. */
  readonly until: number;
}`;

const TOKEN_METHOD = `
  /**
   * A token for the server itself, kept until shortly before it ends.
   *
   * @see https://www.rfc-editor.org/rfc/rfc6749#section-4.4
   */
  async #fetchToken(
    tokenUrl: string,
    id: string,
    secret: string,
    scope: string,
    signal: AbortSignal,
  ): Promise<string> {
    const kept = this.#tokens.get(tokenUrl);
    if (kept !== undefined && kept.until > Date.now()) return kept.text;
    const url = new URL(tokenUrl, this.#settings.url);
    const pair = [id, secret].map(encodeURIComponent).join(":");
    const headers = new Headers({
      accept: "application/json",
      authorization: \`Basic \${Buffer.from(pair).toString("base64")}\`,
    });
    const body = new URLSearchParams({ grant_type: "client_credentials", ...(scope !== "" && { scope }) });
    const response = await fetched(url, { method: "POST", headers, body, signal });
    if (!response.ok) throw new ToolError(\`The API's authorization server answered \${response.status}.\`);
    const answer = (await response.json()) as { access_token?: string; expires_in?: number };
    if (typeof answer.access_token !== "string")
      throw new ToolError("The API's authorization server answered without a token.");
    const seconds = Math.max(0, (answer.expires_in ?? 300) - 30);
    this.#tokens.set(tokenUrl, { text: answer.access_token, until: Date.now() + seconds * 1000 });
    return answer.access_token;
  }`;
