/** Secrets in URIs of resources: no log entry and no span contains one, whatever becomes of the request. */
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { LogEntry } from "@tenon/runtime";
import type { Server } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

const SECRET = "hunter2";

const SOURCES = {
  "src/vault.ts": `
    import { NotFoundError, Resource, Tool, type Context } from "@tenon/runtime";
    export class Vault {
      /** An entry. */
      @Resource("vault://{token}/{name}", {
        mimeType: "text/plain",
        authorize: (_principal, { name }) => {
          if (name === "checked") throw new Error("The check failed.");
          return name !== "hidden";
        },
      })
      entry(/** @secret */ token: string, name: string): string {
        if (name === "missing") throw new NotFoundError("There is no such entry.");
        if (name === "broken") throw new Error("The database is away.");
        return name === "bad" ? ({ in: NaN } as never) : "entry " + name + token.length;
      }
      /** A page. */
      @Resource("page://{name}") page(name: string): string { return name; }
      /** Reports a change. */
      @Tool() touch(uri: string, ctx: Context): void { ctx.notify.resourceUpdated(uri); }
    }`,
  "src/server.ts": `
    import { defineServer, type LogEntry } from "@tenon/runtime";
    import { audit } from "@tenon/runtime/log";
    import { telemetry, type TelemetryOptions } from "@tenon/runtime/telemetry";
    const { entries, tracerProvider } = globalThis as unknown as TelemetryOptions & { entries: LogEntry[] };
    export default defineServer({
      log: (entry) => entries.push(entry),
      observe: [audit({ arguments: true }), telemetry({ tracerProvider })],
    });`,
};

const entries: LogEntry[] = [];
const spans = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
let built: BuiltServer;
let server: Server;

beforeAll(async () => {
  Object.assign(globalThis, { entries, tracerProvider });
  built = await buildServer(SOURCES);
  server = await built.load("secret-uris");
});
afterAll(() => {
  built.remove();
  Reflect.deleteProperty(globalThis, "entries");
  Reflect.deleteProperty(globalThis, "tracerProvider");
});

/** The methods about resources, some of which have no URI. */
const METHODS = [
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
];

/** Sends a request and returns what operators see of it, as text. */
async function observe(
  method: string,
  params: Record<string, unknown>,
  revision: "2025-11-25" | "2026-07-28",
): Promise<string> {
  entries.length = 0;
  spans.reset();
  const client = await connect(server, { revision });
  await client.request(method, params).catch(() => {});
  await client.close();
  const seen = spans.getFinishedSpans().map(({ name, attributes, status }) => ({ name, attributes, status }));
  expect(seen.map(({ name }) => name)).toContain(method === "resources/frobnicate" ? "_OTHER" : method);
  const logged = entries.map(({ err, ...entry }) => ({ ...entry, ...err }));
  return JSON.stringify([logged, seen]);
}

describe("the log and the traces", () => {
  const URIS = ["good", "missing", "broken", "bad", "hidden", "checked", "more/levels", "%zz"].map(
    (name) => `vault://${SECRET}/${name}`,
  );
  const UNKNOWN = [`vault:/${SECRET}`, `vaults://${SECRET}/good`, SECRET];

  test.each(
    [...URIS, ...UNKNOWN].flatMap((uri) => [
      ["resources/read", uri, "2025-11-25"] as const,
      ["resources/read", uri, "2026-07-28"] as const,
      ["resources/subscribe", uri, "2025-11-25"] as const,
      ["resources/unsubscribe", uri, "2025-11-25"] as const,
    ]),
  )("contain no secret after %s of %j in %s", async (method, uri, revision) => {
    expect(await observe(method, { uri }, revision)).not.toContain(SECRET);
  });

  test.each(
    [...METHODS, "resources/frobnicate"].flatMap((method) => [
      [method, "2025-11-25"] as const,
      [method, "2026-07-28"] as const,
    ]),
  )(
    "contain no secret after %s with a URI in %s, whether the method exists or not",
    async (method, revision) => {
      expect(await observe(method, { uri: `vault://${SECRET}/good` }, revision)).not.toContain(SECRET);
    },
  );

  test.each(["vault://hunter2/{name}", "vault://hunter2/good", "vault:/hunter2"])(
    "contain no secret after a completion for %s",
    async (uri) => {
      const params = { ref: { type: "ref/resource", uri }, argument: { name: "name", value: "a" } };
      expect(await observe("completion/complete", params, "2026-07-28")).not.toContain(SECRET);
    },
  );

  test("contain the URIs of resources without secrets", async () => {
    expect(await observe("resources/read", { uri: "page://home" }, "2026-07-28")).toContain(
      '"uri":"page://home"',
    );
  });

  test("name the template whose URI contains a secret", async () => {
    const seen = await observe("resources/read", { uri: `vault://${SECRET}/broken` }, "2026-07-28");
    expect(seen).toContain('The resource \\"vault://{token}/{name}\\" failed.');
    expect(seen).toContain('"target":"entry"');
  });
});
