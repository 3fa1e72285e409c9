/** An identity counts until its `expiresAt`, wherever it comes from. */
import type { Middleware, PrincipalInput, ServerConfig } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { listen } from "@tenon/runtime/node";
import { createServer, type Server } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { expect, test } from "vitest";
import { WireClient } from "../support/wire-client.js";
import { httpWire, pipeWire } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";

const KEY = "a-key-of-ada-0123456789";
const HOUR_MS = 3_600_000;
const adaUntil = (ms: number): PrincipalInput => ({ subject: "ada", expiresAt: new Date(Date.now() + ms) });

/** Calls a tool over HTTP. */
async function callOverHttp(server: Server): Promise<void> {
  const listener = await listen(server, { port: 0 });
  const client = new WireClient(httpWire(listener.url, fetch), { revision: "2026-07-28" });
  await client.open();
  await client.call("add", { a: 1, b: 2 });
  await client.close();
  await listener.close();
}

/** Where callers come from: the configuration, and a call. */
const SOURCES: Record<
  string,
  [config: (given: PrincipalInput) => ServerConfig, call: (server: Server, given: PrincipalInput) => unknown]
> = {
  "http.principal": [(given) => ({ http: { principal: () => given } }), callOverHttp],
  "stdio.principal": [
    (given) => ({ stdio: { principal: given } }),
    async (server) => {
      const client = new WireClient(pipeWire(server), { revision: "2025-11-25" });
      await client.open();
      await client.call("add", { a: 1, b: 2 });
      await client.close();
    },
  ],
  "the test client": [
    () => ({}),
    async (server, principal) => {
      const client = await connect(server, { principal });
      await client.callTool("add", { a: 1, b: 2 });
    },
  ],
};

test.each(Object.keys(SOURCES))("a caller from %s is anonymous after the expiry", async (source) => {
  const [config, call] = SOURCES[source] ?? [];
  const callWith = async (given: PrincipalInput): Promise<unknown> => {
    const seen: unknown[] = [];
    const observe: Middleware = ({ principal }, next) => {
      seen.push(principal?.subject);
      return next();
    };
    const server = createServer(createFixture({ log: "off", ...config?.(given), use: [observe] }));
    await call?.(server, given);
    return seen;
  };
  expect(await callWith(adaUntil(HOUR_MS))).toEqual(["ada"]);
  expect(await callWith(adaUntil(-HOUR_MS))).toEqual([undefined]);
});

test("an API key is rejected after the expiry", async () => {
  const authenticate = (key: string): Promise<unknown> =>
    apiKeys({ [KEY]: adaUntil(HOUR_MS), [`old-${KEY}`]: adaUntil(-HOUR_MS) }).authenticate({
      method: "POST",
      header: (name) => (name === "x-api-key" ? key : undefined),
    });
  expect(await authenticate(KEY)).toMatchObject({ subject: "ada" });
  expect(await authenticate(`old-${KEY}`)).toEqual({
    status: 401,
    reason: "The API key has expired.",
    challenge: 'Bearer error="invalid_token", error_description="The API key has expired."',
  });
});

test("the scopes of an expired API key count as missing when the server starts", () => {
  const auth = apiKeys({ [KEY]: { subject: "ada", scopes: ["read"], expiresAt: new Date(0) } });
  const messages: string[] = [];
  auth.logProblems?.(["read"], ({ msg }) => void messages.push(msg));
  expect(messages).toEqual([expect.stringContaining("no API key has the scope `read`")]);
});

test.each(["2030-01-01", 1_900_000_000, new Date("never")])("an expiry cannot be %o", (expiresAt) => {
  expect(() => apiKeys({ [KEY]: { subject: "ada", expiresAt: expiresAt as Date } })).toThrow(
    "and `expiresAt` a Date",
  );
});
