/**
 * The recipes for identity providers accept tokens as each provider documents them, and reject similar ones. The providers
 * themselves are out of reach: keys and tokens are created here, under the names that the page uses.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { ServerConfig } from "@tenon/runtime";
import { projectFolder } from "../support/project-folder.js";
import { findBlocks } from "./blocks.js";
import { workspace } from "./pages.js";

const RESOURCE = "https://mcp.example.com/mcp";
const page = readFileSync(join(workspace, "packages/docs/guide/identity-providers.md"), "utf8");
const project = projectFolder({ "package.json": '{ "type": "module" }' });
afterAll(() => project.remove());
afterEach(() => vi.unstubAllGlobals());

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
beforeAll(async () => {
  keys = await generateKeyPair("RS256");
});

interface Recipe {
  readonly heading: string;
  readonly issuer: string;
  /** The claims that the provider documents, apart from issuer and times. */
  readonly claims: object;
  /** The type of the token, if the provider sets one. */
  readonly typ?: string;
  readonly scopes: readonly string[];
  /** Tokens of the same provider that are not for this server. */
  readonly rejected: Readonly<Record<string, { claims?: object; typ?: string }>>;
}

const USER = { sub: "user_1" };

const RECIPES: readonly Recipe[] = [
  {
    heading: "Auth0",
    issuer: "https://TENANT.us.auth0.com/",
    claims: {
      ...USER,
      aud: [RESOURCE, "https://TENANT.us.auth0.com/userinfo"],
      azp: "client",
      scope: "openid files:read",
    },
    scopes: ["openid", "files:read"],
    rejected: { "a token for another API": { claims: { ...USER, aud: "https://api.example.com" } } },
  },
  {
    heading: "Clerk",
    issuer: "https://clerk.example.com",
    claims: { ...USER, client_id: "client", scope: "files:read" },
    typ: "at+jwt",
    scopes: ["files:read"],
    rejected: {
      "a session token": { claims: { ...USER, sid: "sess_1" }, typ: "JWT" },
      "a token for another audience": { claims: { ...USER, aud: "https://api.example.com" }, typ: "at+jwt" },
    },
  },
  {
    heading: "WorkOS AuthKit",
    issuer: "https://SUBDOMAIN.authkit.app",
    claims: { ...USER, aud: RESOURCE, sid: "session_1" },
    scopes: [],
    rejected: { "a token of a client that sends no resource": { claims: { ...USER, aud: "client_1" } } },
  },
  {
    heading: "Entra ID",
    issuer: "https://login.microsoftonline.com/TENANT_ID/v2.0",
    claims: { ...USER, aud: "APPLICATION_ID", azp: "client", scp: "files.read", tid: "TENANT_ID" },
    scopes: ["https://mcp.example.com/mcp/files.read"],
    rejected: {
      "a token for another application": { claims: { ...USER, aud: "OTHER_ID", scp: "files.read" } },
    },
  },
  {
    heading: "Keycloak",
    issuer: "https://keycloak.example.com/realms/REALM",
    claims: { ...USER, aud: RESOURCE, azp: "client", scope: "files.read" },
    scopes: ["files.read"],
    rejected: { "a token without the audience mapper": { claims: { ...USER, azp: "client" } } },
  },
  {
    heading: "Supabase",
    issuer: "https://PROJECT.supabase.co/auth/v1",
    claims: { ...USER, aud: "authenticated", role: "authenticated", client_id: "client" },
    scopes: [],
    rejected: {
      "a token of the web application": { claims: { ...USER, aud: "authenticated", role: "authenticated" } },
    },
  },
];

test.each(RECIPES)("the recipe for $heading accepts only tokens for its server", async (recipe) => {
  const { heading, issuer, claims, scopes, rejected } = recipe;
  publishKeys(issuer);
  const auth = await compileAuth(heading);
  const authenticate = async (token: string): Promise<unknown> =>
    auth.authenticate({
      method: "POST",
      header: (name) => (name === "authorization" ? `Bearer ${token}` : undefined),
    });

  const { typ } = recipe;
  expect(await authenticate(await sign(issuer, claims, typ))).toMatchObject({
    subject: "user_1",
    issuer,
    scopes,
  });
  for (const [name, other] of Object.entries(rejected)) {
    const token = await sign(issuer, other.claims ?? claims, other.typ ?? typ);
    expect(await authenticate(token), name).toMatchObject({ status: 401 });
  }
  expect(await authenticate(await sign("https://login.example.org", claims, typ))).toMatchObject({
    status: 401,
  });
});

test("the page has a recipe for each tested provider", () => {
  expect([...page.matchAll(/\]\(#([a-z0-9-]+)\)\s+\|/g)].map(([, anchor]) => anchor)).toEqual(
    RECIPES.map(({ heading }) => heading.toLowerCase().replaceAll(" ", "-")),
  );
});

/** Loads the configuration that the page shows under a heading. */
async function compileAuth(heading: string): Promise<NonNullable<ServerConfig["auth"]>> {
  const section = page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const block = findBlocks(section).find(({ code }) => code.startsWith("// src/server.ts"));
  const path = `src/${heading.toLowerCase().replaceAll(" ", "-")}.ts`;
  project.write({ [path]: block?.code ?? "" });
  const { default: config } = (await import(/* @vite-ignore */ join(project.root, path))) as {
    default: ServerConfig;
  };
  if (!config.auth) throw new Error(`The recipe for ${heading} configures no \`auth\`.`);
  return config.auth;
}

/** Publishes metadata and keys of an issuer, and nothing else. */
function publishKeys(issuer: string): void {
  const jwksUri = `${new URL(issuer).origin}/keys`;
  vi.stubGlobal("fetch", async (url: string) => {
    if (url === jwksUri)
      return Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: "RS256", kid: "1" }] });
    if (url.includes("/.well-known/")) return Response.json({ issuer, jwks_uri: jwksUri });
    return new Response(undefined, { status: 404 });
  });
}

function sign(issuer: string, claims: object, typ = "JWT"): Promise<string> {
  return new SignJWT({ ...claims, iss: issuer })
    .setProtectedHeader({ alg: "RS256", kid: "1", typ })
    .setIssuedAt()
    .setExpirationTime("5 minutes")
    .sign(keys.privateKey);
}
