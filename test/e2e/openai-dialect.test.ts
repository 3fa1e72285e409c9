/** OpenAI's dialect on the wire: the metadata of a built server with `dialects: ["openai"]`. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { REVISIONS } from "../support/describe-transports.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire } from "../support/wires.js";

const SHOWS_VIEWS = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};
const PUBLIC = [{ type: "noauth" }];

interface Listed {
  name: string;
  securitySchemes?: unknown;
  _meta?: { ui?: { resourceUri?: string }; [key: string]: unknown };
}

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({
    "src/server.ts": `
      import { defineServer } from "@tenon/runtime";
      export default defineServer({ dialects: ["openai"] });`,
    "src/flights.ts": `
      import { Tool } from "@tenon/runtime";
      const view = { file: "./flights.html", openai: { domain: "https://flights.example.com" } };
      export class Flights {
        /** Searches flights. */
        @Tool({ readOnly: true, view, openai: { invoked: "Found flights" } })
        search(to: string): string[] { return [to]; }
        /** Books a flight, from the view. */
        @Tool({ visibility: ["app"] }) book(to: string): string { return to; }
      }`,
    "src/flights.html": "<!doctype html><title>Flights</title>",
  });
});
afterAll(() => built.remove());

describe.each(REVISIONS)("in %s", (revision) => {
  test.each([
    ["with views", SHOWS_VIEWS],
    ["without views", {}],
  ])("a client %s receives the metadata that its revision has", async (_name, capabilities) => {
    const client = new WireClient(memoryWire(await built.load("memory")), { revision, capabilities });
    await client.open();
    const tools = (await client.result("tools/list"))["tools"] as Listed[];
    const search = tools.find(({ name }) => name === "search");
    expect(search?.securitySchemes).toEqual(PUBLIC);
    if (revision < "2025-06-18") {
      expect(search).not.toHaveProperty("_meta");
    } else {
      const uri = String(search?._meta?.["openai/outputTemplate"]);
      expect(search?._meta).toMatchObject({
        "openai/widgetAccessible": true,
        "openai/toolInvocation/invoked": "Found flights",
        securitySchemes: PUBLIC,
      });
      const { contents } = await client.result("resources/read", { uri });
      expect(contents).toMatchObject([
        { uri, _meta: { "openai/widgetDomain": "https://flights.example.com" } },
      ]);
      if (capabilities === SHOWS_VIEWS) {
        expect(search?._meta?.ui?.resourceUri).toBe(uri);
        const book = tools.find(({ name }) => name === "book");
        expect(book?._meta).toMatchObject({ "openai/visibility": "private", ui: { visibility: ["app"] } });
      } else expect(tools.map(({ name }) => name)).toEqual(["search"]);
    }
    await client.close();
  });
});
