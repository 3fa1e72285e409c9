import { describe, expect, test } from "vitest";
import { describeTransports, LATEST, LATEST_LEGACY, REVISIONS } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";

const LEGACY = REVISIONS.filter((revision) => revision < LATEST);
const META = "io.modelcontextprotocol";

const fullInfo = { name: "fixture", title: "Fixture", version: "1.2.3", description: "For tests." };

describeTransports(createFixture, (open, transport) => {
  describe.each(LEGACY)("a legacy client at %s", (revision) => {
    test("receives the server's actual capabilities", async () => {
      const { opened } = await open({ revision });
      const { protocolVersion, serverInfo, capabilities, instructions } = opened;
      expect(protocolVersion).toBe(revision);
      expect(instructions).toBe("Prefer metric units.");
      expect(serverInfo).toEqual({
        name: "fixture",
        version: "1.2.3",
        ...(revision >= "2025-06-18" && { title: "Fixture" }),
        ...(revision >= "2025-11-25" && { description: "For tests." }),
      });
      expect(capabilities).toEqual({
        logging: {},
        prompts: {},
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
        ...(revision >= "2025-03-26" && { completions: {} }),
      });
    });

    test("may ping, and set the level of log messages", async () => {
      const client = await open({ revision });
      expect(await client.result("ping")).toEqual({});
      expect(await client.result("logging/setLevel", { level: "warning" })).toEqual({});
      expect((await client.error("logging/setLevel", { level: "loud" })).code).toBe(-32602);
    });

    test("cannot call methods of other revisions", async () => {
      const client = await open({ revision });
      expect((await client.error("tasks/list")).code).toBe(-32601);
      expect((await client.error("toString")).code).toBe(-32601);
    });
  });

  test("a handshake with an unknown revision negotiates the newest one", async () => {
    for (const protocolVersion of ["1999-01-01", LATEST, "__proto__"]) {
      const { opened } = await open({ revision: LATEST_LEGACY, protocolVersion });
      expect(opened["protocolVersion"]).toBe(LATEST_LEGACY);
    }
    const client = await open({ revision: LATEST_LEGACY });
    expect((await client.error("initialize", { capabilities: {} })).code).toBe(-32602);
  });

  describe(`a modern client at ${LATEST}`, () => {
    test("discovers the server", async () => {
      const client = await open();
      expect(await client.result("server/discover")).toEqual({
        resultType: "complete",
        supportedVersions: [LATEST],
        capabilities: {
          completions: {},
          logging: {},
          prompts: {},
          resources: { subscribe: true, listChanged: true },
          tools: { listChanged: true },
        },
        instructions: "Prefer metric units.",
        ttlMs: 60_000,
        cacheScope: "public",
        _meta: { [`${META}/serverInfo`]: fullInfo },
      });
    });

    test("has no methods that only legacy revisions have", async () => {
      const client = await open();
      for (const method of [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "unknown/method",
      ]) {
        expect((await client.error(method)).code).toBe(-32601);
      }
      expect((await client.error("initialize")).message).toContain(LATEST);
    });

    test("may name only levels of log messages that exist", async () => {
      const client = await open();
      const discover = (level: unknown) =>
        client.error("server/discover", { _meta: { [`${META}/logLevel`]: level } });
      for (const level of ["loud", "DEBUG", "", null, 1, ["debug"]])
        expect(await discover(level)).toMatchObject({
          code: -32602,
          message:
            '`_meta["io.modelcontextprotocol/logLevel"]` must be one of ' +
            '"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency".',
        });
    });

    test("must specify its revision and capabilities in every request", async () => {
      const client = await open();
      const version = { [`${META}/protocolVersion`]: LATEST };
      const capabilities = { [`${META}/clientCapabilities`]: {} };
      const ask = (meta: unknown) =>
        client.sendText(
          JSON.stringify({ jsonrpc: "2.0", id: "x", method: "server/discover", params: { _meta: meta } }),
        );
      for (const meta of [
        undefined,
        null,
        [],
        "meta",
        {},
        version,
        capabilities,
        { ...version, ...capabilities, [`${META}/protocolVersion`]: 3 },
      ]) {
        expect(await ask(meta)).toMatchObject({ id: "x", error: { code: -32602 } });
      }
      if (transport === "memory" || transport === "stdio") {
        expect(await ask({ ...version, ...capabilities })).toMatchObject({
          id: "x",
          result: { resultType: "complete" },
        });
      }
    });

    test("receives the supported revisions when it requests another", async () => {
      const client = await open();
      const error = await client.error("tools/list", {
        _meta: { [`${META}/protocolVersion`]: "2030-01-01" },
      });
      expect(error).toMatchObject({ code: -32022, data: { supported: [LATEST], requested: "2030-01-01" } });
    });
  });
});

describeTransports(
  createFixture,
  (open) => {
    test("legacy and modern requests are served side by side on one connection", async () => {
      const client = await open();
      const meta = { [`${META}/protocolVersion`]: LATEST, [`${META}/clientCapabilities`]: {} };
      const add = (id: string, _meta?: object) =>
        client.sendText(
          JSON.stringify({
            jsonrpc: "2.0",
            id,
            method: "tools/call",
            params: { name: "add", arguments: { a: 1, b: 2 }, _meta },
          }),
        );
      const initialize = {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "probe", version: "1" },
      };
      expect(
        await client.sendText(
          JSON.stringify({ jsonrpc: "2.0", id: "i", method: "initialize", params: initialize }),
        ),
      ).toMatchObject({
        result: { protocolVersion: "2025-06-18" },
      });
      expect(await add("legacy")).toMatchObject({ result: { structuredContent: { result: 3 } } });
      expect(await add("modern", meta)).toMatchObject({
        result: { structuredContent: 3, resultType: "complete" },
      });
      expect(await add("legacy again")).toMatchObject({ result: { structuredContent: { result: 3 } } });
    });
  },
  ["memory", "stdio"],
);
