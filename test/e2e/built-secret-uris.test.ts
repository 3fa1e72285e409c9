/** Secrets in URIs of resources: no log entry and no span contains one, whatever becomes of the request. */
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildObservedServer, type ObservedServer } from "../support/observed-server.js";

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
        if (name === "repeated") throw new Error("No entry for " + token);
        return name === "bad" ? ({ in: NaN } as never) : "entry " + name + token.length;
      }
      /** A page. */
      @Resource("page://{name}") page(name: string): string { return name; }
      /** Reports a change. */
      @Tool() touch(uri: string, ctx: Context): void { ctx.notify.resourceUpdated(uri); }
    }`,
};

let observed: ObservedServer;
beforeAll(async () => {
  observed = await buildObservedServer("secret-uris", SOURCES);
});
afterAll(() => observed.remove());

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
  observed.clear();
  const client = await connect(observed.server, { revision });
  await client.request(method, params).catch(() => {});
  await client.close();
  const label = method === "resources/frobnicate" ? "_OTHER" : method;
  expect(observed.spans().map(({ name }) => name)).toContain(label);
  return observed.asText();
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

  test.each([{}, { arguments: {} }, { arguments: { token: "" } }])(
    "contain no secret that a handler repeats, with %j in the request",
    async (added) => {
      const params = { uri: `vault://${SECRET}/repeated`, ...added };
      expect(await observe("resources/read", params, "2026-07-28")).not.toContain(SECRET);
      expect(observed.errors()).toEqual(["Error: No entry for (secret)"]);
      // A request for a resource has no arguments, so the client does not choose what the audit contains.
      expect(observed.entries.at(-1)).toMatchObject({ event: "call", target: "entry" });
      expect(observed.entries.at(-1)?.["arguments"]).toBeUndefined();
    },
  );

  test("contain the URIs of resources without secrets", async () => {
    expect(await observe("resources/read", { uri: "page://home" }, "2026-07-28")).toContain(
      '"uri":"page://home"',
    );
  });

  test("name the template of a resource whose URI contains a secret", async () => {
    const seen = await observe("resources/read", { uri: `vault://${SECRET}/broken` }, "2026-07-28");
    expect(seen).toContain('The resource \\"vault://{token}/{name}\\" failed.');
    expect(seen).toContain('"target":"entry"');
  });
});
