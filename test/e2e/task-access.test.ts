/** Tasks of tools that an author's callbacks hide: they exist only while their owner sees the tool. */
import { listen } from "@tenon/runtime/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { WireClient } from "../support/wire-client.js";
import { httpWire } from "../support/wires.js";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} }, elicitation: {} };

const SOURCES = {
  "src/server.ts": `
    import { defineServer } from "@tenon/runtime";
    export default defineServer({
      log: "off",
      http: { principal: ({ header }) => ({ subject: "ada", claims: { role: header("x-role") } }) },
    });`,
  "src/jobs.ts": `
    import { type Context, Tool } from "@tenon/runtime";
    let isOpen = true;
    export class Jobs {
      /** For administrators. */
      @Tool({ task: "required", authorize: (user) => user?.claims.role === "admin" })
      async authorized(ctx: Context): Promise<string> { return (await ctx.ask<{ name: string }>("Who?")).name; }
      /** While it is open. */
      @Tool({ task: "required", enabled: () => isOpen })
      async opened(ctx: Context): Promise<string> { return (await ctx.ask<{ name: string }>("Who?")).name; }
      /** Closes the tool. */
      @Tool() close(): void { isOpen = false; }
      /** Opens the tool. */
      @Tool() open(): void { isOpen = true; }
    }`,
};

let built: BuiltServer;
let url: string;
let stop: () => Promise<void>;
beforeAll(async () => {
  built = await buildServer(SOURCES);
  const listener = await listen(await built.load(), { port: 0 });
  url = listener.url;
  stop = () => listener.close();
});
afterAll(async () => {
  await stop();
  built.remove();
});

async function connect(role: string): Promise<WireClient> {
  const withRole: typeof fetch = (to, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-role", role);
    return fetch(to, { ...init, headers });
  };
  const client = new WireClient(httpWire(url, withRole), { revision: "2026-07-28", capabilities: TASKS });
  await client.open();
  return client;
}

describe("a task", () => {
  const hide: Record<string, (owner: WireClient) => Promise<WireClient>> = {
    authorized: () => connect("user"),
    opened: async (owner) => {
      await owner.call("close");
      return owner;
    },
  };

  test.each(Object.keys(hide))("does not exist while its owner does not see the tool: %s", async (tool) => {
    const owner = await connect("admin");
    const { taskId } = await owner.call(tool);
    const inputResponses = { input: { action: "accept", content: { name: "Ada" } } };
    const hidden = await hide[tool]?.(owner);
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const error = await hidden?.error(method, { taskId, inputResponses });
      expect(error).toMatchObject({
        code: -32_602,
        message: "There is no such task. It may have expired.",
      });
    }
    await owner.call("open");
    expect(await owner.result("tasks/get", { taskId })).toMatchObject({ status: "input_required" });
    await owner.result("tasks/cancel", { taskId });
    await owner.close();
    await hidden?.close();
  });
});
