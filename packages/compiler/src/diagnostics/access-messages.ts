import { error, warning } from "./catalog-entry.js";

/** The messages about scopes, principals, and the exchange of tokens. */
export const accessMessages = {
  "scope-unknown": error(
    (p: { scope: string; nearest: string | undefined; known: readonly string[] }) =>
      `There is no scope \`${p.scope}\`, so no caller can have it.`,
    (p) =>
      p.nearest === undefined
        ? `Add it to the \`scopes\` option of \`oauth\` in src/server.ts, or write one of ${p.known.map((each) => `\`${each}\``).join(", ")}.`
        : `Write \`${p.nearest}\`, or add \`${p.scope}\` to the \`scopes\` option of \`oauth\` in src/server.ts.`,
  ),
  "scopes-unchecked": warning(
    (p: { scope: string }) =>
      `The scopes of \`auth\` are unknown, so a misspelled scope is not reported. The first scope in use is \`${p.scope}\`.`,
    () =>
      "Set the `scopes` option of `oauth` in src/server.ts, with one property for each scope, and remove the type annotation from the constant or function that `auth` comes from.",
  ),
  "scopes-without-auth": warning(
    (p: { scope: string; isConfigured: boolean }) =>
      `The server does not identify its callers, so none has the scope \`${p.scope}\`, and every call is rejected.`,
    (p) =>
      `Set \`auth\` in src/server.ts${p.isConfigured ? "" : " (`export default defineServer({ auth })`)"} to \`oauth(…)\` or \`apiKeys(…)\` from "@tenon/runtime/auth". Over stdio, \`stdio: { principal: { subject, scopes } }\` gives the user scopes. If every caller may call the method, remove \`scopes\`.`,
  ),
  "principal-without-auth": warning(
    (p: { parameter: string; isConfigured: boolean }) =>
      `The server does not identify its callers, so there is no \`Principal\` for the parameter \`${p.parameter}\`, and every call is rejected.`,
    (p) =>
      `Set \`auth\` in src/server.ts${p.isConfigured ? "" : " (`export default defineServer({ auth })`)"} to \`oauth(…)\` or \`apiKeys(…)\` from "@tenon/runtime/auth". Over stdio, \`stdio: { principal: { subject } }\` identifies the user. If anonymous callers may call the method, make the parameter optional: \`${p.parameter}?: Principal\`.`,
  ),
  "exchange-not-configured": warning(
    (p: { state: "no-auth" | "other-auth" | "oauth" }) => {
      const reason = {
        "no-auth": "the server has no `auth`, so callers have no access tokens",
        "other-auth": "callers have API keys instead of access tokens",
        oauth: "`oauth` has no option `exchange`",
      }[p.state];
      return `\`exchange\` fails in every call, because ${reason}.`;
    },
    (p) =>
      `${p.state === "oauth" ? "Add" : "Set `auth: oauth({ issuer, resource, exchange })` in src/server.ts, with"} \`exchange: tokenExchange({ clientId, clientSecret })\`${p.state === "oauth" ? " to the options of `oauth` in src/server.ts" : ""}. Both functions are in "@tenon/runtime/auth".`,
  ),
  "scopes-unreachable-over-stdio": warning(
    (p: { scopes: readonly string[]; hasPrincipal: boolean }) =>
      `${p.hasPrincipal ? "`stdio.principal` has no scopes" : "Callers have scopes only over HTTP"}, so over stdio and in \`tenon call\`, every call that needs ${p.scopes.map((each) => `\`${each}\``).join(" or ")} is rejected.`,
    (p) =>
      `Give scopes to the user over stdio, in src/server.ts: \`stdio: { principal: { subject: "me", scopes: [${p.scopes.map((each) => JSON.stringify(each)).join(", ")}] } }\`. If the server is only for HTTP, write \`stdio: {}\`.`,
  ),
};
