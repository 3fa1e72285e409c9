import type { ServerConfig } from "@tenon/runtime";
import { expect, test } from "vitest";
import { LATEST, quietServer } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";
import { createFixture } from "./fixture/application.js";
import { createNotebook } from "./fixture/notebook.js";

async function requestHints(
  application: ReturnType<typeof createFixture>,
  method: string,
  params?: Record<string, unknown>,
): Promise<[unknown, unknown]> {
  const client = new WireClient(memoryWire(quietServer(application)), { revision: LATEST });
  const { ttlMs, cacheScope } = await client.result(method, params);
  return [ttlMs, cacheScope];
}

test("constant lists may be cached publicly, other lists not at all", async () => {
  expect(await requestHints(createFixture(), "server/discover")).toEqual([60_000, "public"]);
  expect(await requestHints(createFixture(), "prompts/list")).toEqual([60_000, "public"]);
  expect(await requestHints(createFixture(), "resources/templates/list")).toEqual([60_000, "public"]);
  expect(await requestHints(createFixture(), "tools/list")).toEqual([0, "private"]);
  expect(await requestHints(createFixture(), "resources/list")).toEqual([0, "private"]);
  expect(await requestHints(createNotebook(), "prompts/list")).toEqual([0, "private"]);
});

test("each list can have its own cache hints, all or only some of them", async () => {
  const config: ServerConfig = {
    listTtlMs: 5000,
    cache: {
      tools: { ttlMs: 10 },
      resources: { cacheScope: "public" },
      discover: { ttlMs: 0, cacheScope: "private" },
    },
  };
  expect(await requestHints(createFixture(config), "prompts/list")).toEqual([5000, "public"]);
  expect(await requestHints(createFixture(config), "tools/list")).toEqual([10, "private"]);
  expect(await requestHints(createFixture(config), "resources/list")).toEqual([0, "public"]);
  expect(await requestHints(createFixture(config), "server/discover")).toEqual([0, "private"]);
});

test("every page of a list carries the list's cache hints", async () => {
  const client = new WireClient(memoryWire(quietServer(createFixture({ pageSize: 1 }))), {
    revision: LATEST,
  });
  const first = await client.result("prompts/list");
  const second = await client.result("prompts/list", { cursor: first["nextCursor"] });
  expect(second).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
});

test("a resource is cached for as long as its decorator specifies", async () => {
  expect(await requestHints(createNotebook(), "resources/read", { uri: "notes://license" })).toEqual([
    3_600_000,
    "public",
  ]);
  expect(await requestHints(createNotebook(), "resources/read", { uri: "note://1" })).toEqual([0, "private"]);
});

test.each([
  [{ tools: { ttlMs: -1 } }, /cache\.tools\.ttlMs must be/],
  [{ prompts: { ttlMs: 0.5 } }, /cache\.prompts\.ttlMs must be/],
  [{ discover: { cacheScope: "shared" } }, /cache\.discover\.cacheScope must be/],
])("invalid hints are rejected when the server is created: %j", (cache, message) => {
  expect(() => quietServer(createFixture({ cache } as ServerConfig))).toThrow(message);
});
