/** The messages for logins that fail because of the issuer, or whose tokens the server does not accept. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { InvalidTokenError, oauth, type TokenVerifier } from "@tenon/runtime/auth";
import { createNodeHandler } from "@tenon/runtime/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFixture } from "../runtime/fixture/application.js";
import { quietServer } from "../support/describe-transports.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { FOREIGN } from "../wire/recorder.mjs";

const servers: HttpServer[] = [];
const closing: (() => Promise<void>)[] = [];
let config: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), "tenon-config-"));
  vi.stubEnv("XDG_CONFIG_HOME", config);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
  for (const server of servers.splice(0)) closeNow(server);
  rmSync(config, { recursive: true, force: true });
});

function closeNow(server: HttpServer): void {
  server.close();
  server.closeAllConnections();
}

/** Starts an HTTP server whose messages are not those of MCP, and returns its origin. */
async function listen(handle: RequestListener): Promise<string> {
  const server = Object.assign(createServer(handle), { [FOREIGN]: true });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an issuer that grants every login. `changes` replaces parts of its metadata. */
async function startIssuer(changes: object = {}, issuesRefreshTokens = false): Promise<string> {
  const issuer: string = await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", issuer);
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.search = new URLSearchParams({ code: "code", state: searchParams.get("state") ?? "" }).toString();
      return void response.writeHead(302, { Location: back.href }).end();
    }
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      ...changes,
    };
    const responses: Record<string, object> = {
      "/token": {
        access_token: "issued",
        token_type: "Bearer",
        ...(issuesRefreshTokens && { refresh_token: "again", scope: "write" }),
      },
      "/register": { client_id: "registered", redirect_uris: ["http://127.0.0.1/callback"] },
    };
    return void response
      .writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify(responses[pathname] ?? metadata));
  });
  return issuer;
}

interface Ran {
  exitCode: number;
  stderr: string;
}

/** Runs a command for a server of an issuer, as a user who logs in. */
async function runAt(issuer: string, verify: TokenVerifier, ...more: string[]): Promise<Ran> {
  let handle: RequestListener = () => {};
  const origin = await listen((request, response) => handle(request, response));
  const resource = `${origin}/mcp`;
  const auth = oauth({ issuer, resource, scopes: { read: {}, write: {} }, verify });
  const { manifest, ...rest } = createFixture({ auth });
  const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["write"] }));
  const handler = createNodeHandler(quietServer({ ...rest, manifest: { ...manifest, tools } }));
  closing.push(() => handler.close());
  handle = (request, response) => void handler(request, response);
  const terminal = recordingTerminal(process.cwd());
  terminal.interactive = true;
  const write = terminal.err.write;
  terminal.err.write = (text) => {
    write(text);
    const [, page] = /^ {2}(http\S+)$/m.exec(text) ?? [];
    if (page !== undefined) void fetch(page);
  };
  const exitCode = await run(["call", resource, "add", "a=1", "b=2", "--no-browser", ...more], terminal);
  const stderr = terminal.stderr().replaceAll(origin, "http://server").replaceAll(issuer, "http://issuer");
  return { exitCode, stderr: stderr.replaceAll(/\s+/g, " ").trim() };
}

const rejectAll: TokenVerifier = () => Promise.reject(new InvalidTokenError("Not this one."));

test("an issuer that does not register clients is reported, with the option for a client ID", async () => {
  const issuer = await startIssuer({ registration_endpoint: undefined });
  expect(await runAt(issuer, rejectAll)).toEqual({
    exitCode: 1,
    stderr:
      "error The issuer of http://server/mcp does not register clients. " +
      "hint Register a client there yourself, and set its ID with --client-id.",
  });
});

test("an issuer that is down is reported as a failed login", async () => {
  const issuer = await startIssuer();
  closeNow(servers.pop()!);
  const { exitCode, stderr } = await runAt(issuer, rejectAll);
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(/^error The login failed: fetch failed: connect ECONNREFUSED/),
  ]);
});

test("metadata of another issuer is reported as a failed login", async () => {
  const { stderr } = await runAt(await startIssuer({ issuer: "http://elsewhere.example" }), rejectAll);
  expect(stderr).toMatch(/^error The login failed: Issuer mismatch/);
});

const NOT_ACCEPTED =
  "error The server does not accept the access token that its issuer has just issued. " +
  "hint The token may lack a scope, or be meant for another audience. The log of the server reports why.";

test.each(["without", "with"])(
  "a server that rejects the token of a login is reported after one login, %s a refresh token",
  async (kind) => {
    const { exitCode, stderr } = await runAt(await startIssuer({}, kind === "with"), rejectAll);
    expect([exitCode, stderr.split("To log in, go to:").length - 1]).toEqual([1, 1]);
    expect(stderr).toContain(NOT_ACCEPTED);
  },
);

const grantRead: TokenVerifier = async (_, { issuers, audiences }) => {
  const exp = Math.floor(Date.now() / 1000) + 60;
  return { iss: issuers[0], aud: audiences[0], sub: "ada", exp, scope: "read" };
};

test.each([
  ["without", NOT_ACCEPTED],
  ["with", "error The login lacks a scope that http://server/mcp requires. hint Its issuer did not grant"],
])(
  "a login without a required scope is reported after one login, %s a refresh token",
  async (kind, message) => {
    const { exitCode, stderr } = await runAt(await startIssuer({}, kind === "with"), grantRead);
    expect([exitCode, stderr.split("To log in, go to:").length - 1]).toEqual([1, 1]);
    expect(stderr).toContain(message);
  },
);

test("a server that denies access without a login is not reported as a login", async () => {
  const origin = await listen((_, response) => void response.writeHead(403).end());
  const terminal = recordingTerminal(process.cwd());
  terminal.interactive = true;
  expect(await run(["inspect", `${origin}/mcp`], terminal)).toBe(1);
  expect(terminal.stderr()).toMatch(/\/mcp does not respond as an MCP server: .*403/s);
});

test("a login with a client ID prints nothing but the page", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const issuer = await startIssuer({ registration_endpoint: undefined });
  const { stderr } = await runAt(issuer, rejectAll, "--client-id", "mine");
  expect(stderr).toContain("client_id=mine");
  expect(warn).not.toHaveBeenCalled();
});
