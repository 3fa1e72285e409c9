/** Commands for servers that require a login, with a real authorization server and a simulated browser. */
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import { mkdtempSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { apiKeys, oauth } from "@tenon/runtime/auth";
import { createNodeHandler, type NodeHandler } from "@tenon/runtime/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  authorize,
  startAuthorizationServer,
  type AuthorizationServer,
} from "../runtime/auth/authorization-server.js";
import { createFixture } from "../runtime/fixture/application.js";
import { quietServer } from "../support/describe-transports.js";
import { recordingTerminal, type RecordingTerminal } from "../support/recording-terminal.js";
import { FOREIGN } from "../wire/recorder.mjs";

const KEY = "0123456789abcdef";
let http: HttpServer;
let handler: NodeHandler;
let issuer: AuthorizationServer;
let url: string;
/** Requests that the server received, without their bodies. */
const seen: { path: string; authorization: string | undefined }[] = [];
/** Metadata of the resource that replaces the true metadata. */
let metadata: object | undefined;

beforeAll(async () => {
  http = createServer((request, response) => {
    seen.push({ path: request.url ?? "", authorization: request.headers.authorization });
    if (metadata && request.url?.startsWith("/.well-known/oauth-protected-resource") === true)
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(metadata));
    else void handler(request, response);
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  issuer = await startAuthorizationServer({
    audiences: new Map([[url, url]]),
    scopes: ["read", "write"],
    client: { id: "registered", redirectUrl: "http://127.0.0.1/callback" },
  });
  const auth = oauth({
    issuer: issuer.issuer,
    resource: url,
    scopes: { read: {}, write: {} },
    initialScopes: ["read"],
  });
  const { manifest, ...rest } = createFixture({ auth });
  const tools = manifest.tools.map((tool) => {
    return tool.definition.name === "add" ? { ...tool, scopes: ["write"] } : tool;
  });
  handler = createNodeHandler(quietServer({ ...rest, manifest: { ...manifest, tools } }), { path: "/mcp" });
});
afterAll(async () => {
  await handler.close();
  closeNow(http);
  await issuer.close();
});

function closeNow(server: HttpServer): void {
  server.close();
  server.closeAllConnections();
}

let config: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), "tenon-config-"));
  vi.stubEnv("XDG_CONFIG_HOME", config);
  seen.length = 0;
  metadata = undefined;
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(config, { recursive: true, force: true });
});

function keptFiles(): string[] {
  try {
    return readdirSync(join(config, "tenon", "logins")).map((name) => join(config, "tenon", "logins", name));
  } catch {
    return [];
  }
}

interface Ran {
  exitCode: number;
  terminal: RecordingTerminal;
}

/** Runs a command. `person` receives the page on which the command requires a login. */
async function runTenon(args: string[], person?: (page: URL) => Promise<void>): Promise<Ran> {
  const terminal = recordingTerminal(process.cwd());
  terminal.interactive = person !== undefined;
  const write = terminal.err.write;
  terminal.err.write = (text) => {
    write(text);
    const [, page] = /^ {2}(http\S+)$/m.exec(text) ?? [];
    if (page !== undefined) void person?.(new URL(page));
  };
  const exitCode = await run(args, terminal);
  return { exitCode, terminal };
}

/** Logs in, and follows the redirect back. */
async function logIn(page: URL): Promise<void> {
  const back = page.searchParams.get("redirect_uri") ?? "";
  const returned = await authorize(page, back);
  const response = await fetch(`${back}?${returned.toString()}`);
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining("You are logged in."),
  ]);
}

/** Logs in at an issuer that may reject the login with a redirect. */
async function tryToLogIn(page: URL): Promise<void> {
  const response = await fetch(page, { redirect: "manual" });
  const location = response.headers.get("location") ?? "";
  if (location.startsWith(page.searchParams.get("redirect_uri") ?? "")) await fetch(location);
  else await logIn(page);
}

test("a user logs in once, and the login is stored for that user only", async () => {
  const first = await runTenon(["inspect", url, "--no-browser"], logIn);
  expect(first.terminal.stdout()).toContain("add");
  expect(first.terminal.stderr()).toContain("This server requires a login. To log in, go to:\n  http");
  expect(first.exitCode).toBe(0);

  const [file = "", ...others] = keptFiles();
  expect(others).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(config, "tenon", "logins")).mode & 0o777).toBe(0o700);
  const { tokens } = JSON.parse(readFileSync(file, "utf8")) as { tokens: { access_token: string } };
  expect(`${first.terminal.stdout()}${first.terminal.stderr()}`).not.toContain(tokens.access_token);

  const again = await runTenon(["inspect", url, "--json"]);
  expect(again.exitCode).toBe(0);
  expect(JSON.parse(again.terminal.stdout())).toMatchObject({ protocolVersion: "2026-07-28" });
  expect(again.terminal.stderr()).toBe("");

  const forgotten = await runTenon(["inspect", url, "--logout"]);
  expect(forgotten.terminal.stdout()).toBe(`Deleted the login for ${url}.\n`);
  expect(keptFiles()).toEqual([]);
  const twice = await runTenon(["inspect", url, "--logout"]);
  expect(twice.terminal.stdout()).toBe(`No login for ${url} is stored.\n`);
});

test("later logins reuse the port, since issuers compare it", async () => {
  const backs: string[] = [];
  const note = (page: URL): Promise<void> => {
    backs.push(page.searchParams.get("redirect_uri") ?? "");
    return logIn(page);
  };
  await runTenon(["inspect", url, "--no-browser"], note);
  const [file = ""] = keptFiles();
  const stored = JSON.parse(readFileSync(file, "utf8")) as { clients: object };
  const { writeFileSync } = await import("node:fs");
  writeFileSync(file, JSON.stringify({ ...stored, tokens: undefined }));
  const before = seen.length;
  await runTenon(["inspect", url, "--no-browser"], note);
  expect(seen.length).toBeGreaterThan(before);
  expect(backs).toHaveLength(2);
  expect(backs[0]).toBe(backs[1]);
  expect((JSON.parse(readFileSync(file, "utf8")) as { clients: object }).clients).toEqual(stored.clients);
});

test("a call that needs more scopes requests them, and continues", async () => {
  const asked: (string | null)[] = [];
  const person = (page: URL): Promise<void> => {
    asked.push(page.searchParams.get("scope"));
    return tryToLogIn(page);
  };
  const { exitCode, terminal } = await runTenon(["call", url, "add", "a=1", "b=2", "--no-browser"], person);
  expect([exitCode, terminal.stdout()], terminal.stderr()).toEqual([0, "3\n"]);
  // The issuer rejects an address that the client did not register, so the client registers again.
  expect(asked).toEqual(["read", "read write", "read write"]);
  const again = await runTenon(["call", url, "add", "a=1", "b=2"]);
  expect([again.exitCode, again.terminal.stdout()]).toEqual([0, "3\n"]);
});

test("a redirect with an unknown state is rejected", async () => {
  const { exitCode } = await runTenon(["inspect", url, "--no-browser"], async (page) => {
    const back = page.searchParams.get("redirect_uri") ?? "";
    for (const search of ["?code=stolen&state=guessed", "?code=stolen", ""])
      expect((await fetch(`${back}${search}`)).status).toBe(400);
    expect((await fetch(new URL("/other", back))).status).toBe(404);
    expect((await fetch(`${new URL(back).origin}//`)).status).toBe(404);
    await logIn(page);
  });
  expect(exitCode).toBe(0);
});

test("a redirect address from a browser on another machine can be pasted", async () => {
  const terminal = recordingTerminal(process.cwd());
  terminal.interactive = true;
  let type: ((line: string) => void) | undefined;
  let stopped = 0;
  terminal.readLines = (onLine) => {
    type = onLine;
    return () => {
      stopped++;
    };
  };
  const write = terminal.err.write;
  terminal.err.write = (text) => {
    write(text);
    const [, page] = /^ {2}(http\S+)$/m.exec(text) ?? [];
    if (page !== undefined) void paste(new URL(page));
  };
  const paste = async (page: URL): Promise<void> => {
    const back = page.searchParams.get("redirect_uri") ?? "";
    const returned = await authorize(page, back);
    await vi.waitUntil(() => type !== undefined);
    for (const line of ["", "what?", page.href, `${back}?code=stolen&state=guessed`]) type?.(line);
    type?.(`  ${back}?${returned.toString()} `);
  };
  const exitCode = await run(["inspect", url, "--no-browser"], terminal);
  expect([exitCode, stopped]).toEqual([0, 1]);
  const shown = terminal.stderr().replaceAll(/http:\S+/g, "http…");
  expect(shown).toMatchInlineSnapshot(`
    "This server requires a login. To log in, go to:
      http…
    If your browser is on another machine, paste the address to which it is redirected.
    This is not the redirect address of this login. Paste the address from your browser that begins with http…
    This is not the redirect address of this login. Paste the address from your browser that begins with http…
    This is not the redirect address of this login. Paste the address from your browser that begins with http…
    "
  `);
});

test("an issuer's reason for a failed login is reported", async () => {
  const { exitCode, terminal } = await runTenon(["inspect", url, "--no-browser"], async (page) => {
    const { redirect_uri: back = "", state = "" } = Object.fromEntries(page.searchParams);
    const parameters = new URLSearchParams({
      error: "access_denied",
      error_description: "Ada said \u001b[31mno",
      state,
      iss: issuer.issuer,
    });
    await fetch(`${back}?${parameters.toString()}`);
  });
  expect(exitCode).toBe(1);
  expect(terminal.stderr()).toMatch(/error {2}The login failed: .*Ada said no/);
});

test("a response that names another issuer is rejected", async () => {
  const { exitCode, terminal } = await runTenon(["inspect", url, "--no-browser"], async (page) => {
    const back = page.searchParams.get("redirect_uri") ?? "";
    const returned = await authorize(page, back);
    returned.set("iss", "https://elsewhere.example");
    await fetch(`${back}?${returned.toString()}`);
  });
  expect(exitCode).toBe(1);
  expect(terminal.stderr()).toMatch(/error {2}The login failed: .*[Ii]ssuer/);
  expect(
    keptFiles()
      .map((file) => readFileSync(file, "utf8"))
      .join(),
  ).not.toContain("access_token");
});

test("without a terminal no client is registered, and the alternative is reported", async () => {
  const { exitCode, terminal } = await runTenon(["inspect", url]);
  expect(exitCode).toBe(1);
  expect(terminal.stderr()).toBe(
    `error  ${url} requires a login.\n` +
      `hint   Run this in a terminal to log in, or send credentials: --header "Authorization: Bearer …".\n`,
  );
  expect(seen.every(({ path }) => path === "/mcp")).toBe(true);
  expect(keptFiles()).toEqual([]);
});

test("rejected credentials in a header are reported", async () => {
  const { exitCode, terminal } = await runTenon([
    "inspect",
    url,
    "--header",
    "Authorization: Bearer outdated",
  ]);
  expect({ exitCode, err: terminal.stderr().replaceAll(/\s+/g, " ") }).toEqual({
    exitCode: 1,
    err:
      `error ${url} rejected the credentials of the Authorization header. ` +
      "hint Check that they are complete, meant for this server, and not expired. To log in instead, omit the header. ",
  });
});

test("insufficient credentials in a header are reported", async () => {
  const auth = apiKeys({ [KEY]: { subject: "ada", scopes: ["read"] } });
  const { manifest, ...rest } = createFixture({ auth: { ...auth, scopes: { read: {}, write: {} } } });
  const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["write"] }));
  const keys = createNodeHandler(quietServer({ ...rest, manifest: { ...manifest, tools } }));
  const server = createServer((request, response) => void keys(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    await keys.close();
    closeNow(server);
  });
  const { port } = server.address() as AddressInfo;
  const args = ["call", `http://127.0.0.1:${port}/mcp`, "add", "a=1", "b=2", "--header", `X-API-Key: ${KEY}`];
  const { exitCode, terminal } = await runTenon(args);
  expect({ exitCode, err: terminal.stderr() }).toEqual({
    exitCode: 1,
    err:
      `error  The credentials are insufficient for http://127.0.0.1:${port}/mcp, which requires write.\n` +
      'hint   Send other credentials with --header "Authorization: Bearer …", or omit --header to log in.\n',
  });
});

test("a header is sent to the server only, and appears in no message", async () => {
  const elsewhere: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    elsewhere.push(request.headers["x-key"] as string | undefined);
    response.writeHead(404).end();
  });
  Object.assign(other, { [FOREIGN]: true });
  onTestFinished(() => closeNow(other));
  await new Promise<void>((resolve) => {
    other.listen(0, "127.0.0.1", resolve);
  });
  const server = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  metadata = { resource: url, authorization_servers: [server] };
  const { exitCode, terminal } = await runTenon(
    ["inspect", url, "--no-browser", "--header", "X-Key=topsecret"],
    async () => undefined,
  );
  expect(exitCode).toBe(1);
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(new Set(elsewhere)).toEqual(new Set([undefined]));

  const failed = await runTenon(["inspect", url, "--header", "Authorization: Bearer topsecret"], async () => {
    throw new Error("A user with a token must not be prompted.");
  });
  expect(failed.exitCode).toBe(1);
  expect(seen.at(-1)?.authorization).toBe("Bearer topsecret");
  await runTenon(["inspect", url.replace("//", "//ada:topsecret@")]);
  expect(seen.at(-1)?.authorization).toBe(`Basic ${btoa("ada:topsecret")}`);
  for (const { stdout, stderr } of [terminal, failed.terminal])
    expect(`${stdout()}${stderr()}`).not.toContain("topsecret");
  expect((await runTenon(["inspect", url, "--header", "topsecret"])).terminal.stderr()).toBe(
    'error  The name or value of a header is missing.\nhint   Write --header "Name: value" or --header Name=value.\n',
  );
  expect(
    (await runTenon(["inspect", url, "--header", "X-Team=a", "--header", "x-team: b"])).terminal.stderr(),
  ).toBe("error  `--header` gives `x-team` more than one value.\nhint   Keep one of them.\n");
});

test("only web pages are opened, whatever address the server names", async () => {
  const evil = createServer((request, response) => {
    const { port } = evil.address() as AddressInfo;
    const own = `http://127.0.0.1:${port}`;
    const answer = request.url?.includes(".well-known")
      ? {
          issuer: own,
          authorization_endpoint: "file:///etc/passwd",
          token_endpoint: `${own}/token`,
          registration_endpoint: `${own}/reg`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        }
      : { client_id: "me", redirect_uris: ["http://127.0.0.1/callback"] };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  });
  Object.assign(evil, { [FOREIGN]: true });
  onTestFinished(() => closeNow(evil));
  await new Promise<void>((resolve) => {
    evil.listen(0, "127.0.0.1", resolve);
  });
  metadata = {
    resource: url,
    authorization_servers: [`http://127.0.0.1:${(evil.address() as AddressInfo).port}`],
  };
  const asked: URL[] = [];
  const { exitCode, terminal } = await runTenon(["inspect", url, "--no-browser"], async (page) => {
    asked.push(page);
  });
  expect([exitCode, asked]).toEqual([1, []]);
  expect(terminal.stderr()).toMatch(/^error {2}/);
  expect(terminal.stderr()).not.toContain("bug in Tenon");
});
