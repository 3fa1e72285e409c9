/** Callers are shared by the calls that they send, so no handler can change one for the next call. */
import type { Middleware, ServerConfig } from "@tenon/runtime";
import { apiKeys } from "@tenon/runtime/auth";
import { listen } from "@tenon/runtime/node";
import { createServer } from "@tenon/runtime/server";
import { describe, expect, test } from "vitest";
import { WireClient } from "../support/wire-client.js";
import { httpWire } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";

const KEY = "a-key-of-ada-0123456789";
const claims = (): Record<string, unknown> => ({ tenant: "small", realm: { roles: ["user"] } });

/** Where callers come from, each with an object of the author. */
const SOURCES: Record<string, (given: Record<string, unknown>) => ServerConfig> = {
  "API keys": (given) => ({ auth: apiKeys({ [KEY]: { subject: "ada", claims: given } }) }),
  "a gateway": (given) => ({ http: { principal: () => ({ subject: "ada", claims: given }) } }),
};

describe.each(Object.keys(SOURCES))("the claims of a caller from %s", (source) => {
  test("cannot be changed in place, and the author's own object stays as it is", async () => {
    const given = claims();
    const errors: unknown[] = [];
    const attack: Middleware = (call, next) => {
      const seen: Record<string, unknown> = call.principal?.claims ?? {};
      for (const change of [
        () => (seen["tenant"] = "root"),
        () => (seen["realm"] as { roles: string[] }).roles.push("admin"),
      ])
        try {
          change();
        } catch (error) {
          errors.push(error);
        }
      return next();
    };
    const server = createServer(createFixture({ log: "off", ...SOURCES[source]?.(given), use: [attack] }));
    const listener = await listen(server, { port: 0 });
    const fetchWithKey: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", `Bearer ${KEY}`);
      return fetch(url, { ...init, headers });
    };
    const client = new WireClient(httpWire(listener.url, fetchWithKey), { revision: "2026-07-28" });
    await client.open();
    expect(await client.call("add", { a: 1, b: 2 })).not.toHaveProperty("isError");
    await client.close();
    await listener.close();
    expect(errors).toEqual([expect.any(TypeError), expect.any(TypeError)]);
    expect(given).toEqual(claims());
    // Only Tenon's copy is frozen.
    given["tenant"] = "another";
  });
});
