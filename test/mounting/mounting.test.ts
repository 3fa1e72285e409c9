/**
 * The recipes of the page on mounting, each with the real framework, driven by the official clients.
 */
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { createNodeHandler } from "@tenon/runtime/node";
import express from "express";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { describeMounted, type Mounted } from "./mounted-server.js";
import { app as expressApp } from "./recipes/express.js";
import { app as fastifyApp } from "./recipes/fastify.js";
import { app as fetchApp } from "./recipes/fetch.js";
import { app as honoApp } from "./recipes/hono.js";
import { server } from "./server.js";

// Hono's adapter replaces these classes, as it does for users. Results of Node's `fetch` are not instances of the replacements.
const classes = { Request, Response };
afterAll(() => {
  for (const [name, value] of Object.entries(classes))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
});

function toMounted(http: Server & { closeAllConnections?(): void }): Mounted {
  const { port } = http.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      http.close();
      http.closeAllConnections?.();
      await once(http, "close");
    },
  };
}

async function waitUntilListening(http: Server): Promise<Mounted> {
  await once(http, "listening");
  return toMounted(http);
}

const onNode = (fetch: (request: Request) => Response | Promise<Response>): Promise<Mounted> =>
  new Promise((resolve) => {
    const http = serve({ fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(toMounted(http as Server)));
  });

describeMounted("Express", () => waitUntilListening(expressApp.listen(0, "127.0.0.1")));

describeMounted("Express, after a body parser", () => {
  const app = express();
  app.use(express.json());
  app.use("/mcp", createNodeHandler(server));
  app.use(createNodeHandler(server));
  return waitUntilListening(app.listen(0, "127.0.0.1"));
});

describeMounted("Fastify", async () => {
  fastifyApp.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain").send("not here"));
  await fastifyApp.listen({ port: 0, host: "127.0.0.1" });
  const { origin } = toMounted(fastifyApp.server);
  return { origin, close: () => fastifyApp.close() };
});

describeMounted("Hono", () => onNode(honoApp.fetch));

describeMounted("a plain fetch handler", () => onNode(fetchApp.fetch));

describe("the page on mounting", () => {
  const workspace = join(import.meta.dirname, "../..");
  const page = readFileSync(join(workspace, "packages/docs/reference/mounting.md"), "utf8");
  const recipes = readdirSync(join(import.meta.dirname, "recipes"), { recursive: true, encoding: "utf8" });

  test.each(recipes.filter((path) => /\.[jt]s$/.test(path)))("contains the recipe %s as tested", (path) => {
    const text = readFileSync(join(import.meta.dirname, "recipes", path), "utf8");
    expect(page).toContain(`\n\`\`\`ts\n${text.replace("../server.js", "./dist/app.js")}\`\`\`\n`);
  });
});

describe("a body that was already consumed", () => {
  test("is reported", async () => {
    const app = express();
    app.use((request, _response, next) => {
      request.on("data", () => {}).on("end", next);
    });
    app.use(createNodeHandler(server));
    const mounted = await waitUntilListening(app.listen(0, "127.0.0.1"));
    onTestFinished(() => mounted.close());
    const response = await fetch(`${mounted.origin}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer a-token-of-ada" },
      body: "{}",
    });
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining("Mount the server before"),
    ]);
  });
});
