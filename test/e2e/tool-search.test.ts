/** The search mode: two tools in place of all, with the same checks as direct calls. */
import { run } from "@tenon/cli";
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, buildServer } from "../support/built-server.js";
import { REVISIONS } from "../support/describe-transports.js";
import { projectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";
import { WireClient } from "../support/wire-client.js";
import { memoryWire, stdioWire } from "../support/wires.js";

const GROUPS = ["order", "invoice", "customer", "ticket", "shipment", "refund", "product", "voucher"];
const ACTIONS = ["get", "list", "create", "cancel", "archive", "export", "assign", "tag"];

/** Eight groups with eight tools each, all alike except for their words. */
const MANY = GROUPS.map(
  (group) => `export class ${group}s {
${ACTIONS.map(
  (action) => `  /** Can ${action} a ${group} of the shop. */
  @Tool({ name: "${group}_${action}", readOnly: true, openWorld: false })
  ${action}(id: number): string { return "${group} ${action} " + id; }`,
).join("\n")}
}`,
).join("\n");

const SOURCES = {
  "src/server.ts": `
    import { defineServer, type Observer } from "@tenon/runtime";
    const { outcomes = [] } = globalThis as unknown as { outcomes?: unknown[] };
    const observer: Observer = {
      observe: (call) => ({
        end: ({ outcome, reason }) => void (call.method === "tools/call" && outcomes.push([call.name, outcome, reason])),
      }),
    };
    export default defineServer({ observe: [observer], toolSearch: { always: ["order_get"] }, rateLimit: { calls: 40, windowMs: 3_600_000 } });`,
  "src/many.ts": `import { Tool } from "@tenon/runtime";\n${MANY}`,
  "src/special.ts": `
    import { type Context, type Principal, Tool } from "@tenon/runtime";
    export class Special {
      /** Deletes the whole shop. */
      @Tool({ destructive: true, openWorld: false, enabled: ({ principal }) => principal?.subject === "ada" })
      wipe(user: Principal): string { return "Wiped by " + user.subject; }
      /** Audits. */
      @Tool({ readOnly: true, openWorld: false, enabled: () => false }) audit_read(): string { return ""; }
      /** Audits. */
      @Tool({ readOnly: true, openWorld: false, enabled: () => false }) audit_list(): string { return ""; }
      /** Audits. */
      @Tool({ readOnly: true, openWorld: false, enabled: () => false }) audit_find(): string { return ""; }
      /** Sets a discount in percent. */
      @Tool({ destructive: false, openWorld: true })
      discount(
        /** @minimum 1 @maximum 50 */ percent: number,
        since: Date,
      ): string { return percent + " % since " + since.getUTCFullYear(); }
      /** Asks before it closes the shop. */
      @Tool({ destructive: true, openWorld: false })
      async close(ctx: Context): Promise<string> {
        const { action } = await ctx.elicit<{ reason: string }>("Why?");
        return action;
      }
    }`,
};

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer(SOURCES);
});
afterAll(() => built.remove());

interface Found {
  tools: { name: string; description?: string; inputSchema: object }[];
}

const WIRES = {
  memory: async () => memoryWire(await built.load(crypto.randomUUID())),
  stdio: async () => stdioWire(built.program),
};

describe.each(Object.keys(WIRES) as (keyof typeof WIRES)[])("the search mode, over %s", (transport) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    let client: WireClient;
    beforeAll(async () => {
      client = new WireClient(await WIRES[transport](), {
        revision,
        capabilities: { elicitation: {} },
        answer: () => ({ action: "decline" }),
      });
      await client.open();
    });
    afterAll(() => client.close());

    const callText = async (name: string, args: Record<string, unknown>): Promise<string> => {
      const { content } = (await client.callAndAnswer(name, args)) as { content: { text: string }[] };
      return content.map(({ text }) => text).join("");
    };

    test("lists its two tools, and those that are always listed", async () => {
      const { tools } = (await client.result("tools/list")) as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(["search_tools", "call_tool", "order_get"]);
    });

    test("names groups of tools, except those that are hidden from some callers", async () => {
      const { tools } = (await client.result("tools/list")) as { tools: { description: string }[] };
      expect(tools[0]?.description).toContain("order (8)");
      expect(tools[0]?.description).not.toContain("audit");
    });

    test("finds tools by their words, and calls them", async () => {
      const found = JSON.parse(await callText("search_tools", { query: "cancelled invoices" })) as Found;
      expect(found.tools).toHaveLength(5);
      expect(found.tools[0]).toMatchObject({
        name: "invoice_cancel",
        description: "Can cancel a invoice of the shop.",
        inputSchema: { type: "object", required: ["id"] },
      });
      expect(await callText("call_tool", { name: "invoice_cancel", arguments: { id: 7 } })).toBe(
        "invoice cancel 7",
      );
    });

    test.each([
      [
        "arguments as JSON text",
        { name: "discount", arguments: '{"percent":5,"since":"2030-01-01T00:00:00Z"}' },
        "5 % since 2030",
      ],
      [
        "arguments to coerce",
        { name: "discount", arguments: { percent: "5", since: "2030-01-01T00:00:00Z" } },
        "5 % since 2030",
      ],
      [
        "arguments that do not fit",
        { name: "discount", arguments: { percent: 90, since: "2030-01-01T00:00:00Z" } },
        /^Invalid arguments for tool "discount": `percent`/,
      ],
      ["no arguments", { name: "discount" }, /missing argument `percent`/],
      ["a list of arguments", { name: "discount", arguments: [5] }, /`arguments` an object\.$/],
      [
        "a misspelled name",
        { name: "discont", arguments: {} },
        'There is no tool "discont". Did you mean "discount"?',
      ],
      [
        "an unknown name",
        { name: "zzzzzzzzzz" },
        'There is no tool "zzzzzzzzzz". Search with `search_tools`.',
      ],
      ["no name", {}, /^Invalid arguments for tool "call_tool"/],
      [
        "its own name",
        { name: "call_tool", arguments: { name: "discount" } },
        /^There is no tool "call_tool"/,
      ],
      ["a tool that is hidden from the caller", { name: "wipe", arguments: {} }, /^There is no tool "wipe"/],
      // The older revisions have no questions to users.
      [
        "a tool that asks",
        { name: "close" },
        /^(?:decline$|This call needs the capability "elicitation.form", which the protocol revision)/,
      ],
    ])("call_tool responds to %s", async (_name, args, expected) => {
      const text = await callText("call_tool", args);
      if (typeof expected === "string") expect(text).toBe(expected);
      else expect(text).toMatch(expected);
    });

    test.each([
      ["a query without words", { query: " " }, /`query` must be a string/],
      ["a very long query", { query: "order ".repeat(100) }, /at most 500 characters/],
      [
        "a request for too many results",
        { query: "order", limit: 100 },
        /`limit` must be a whole number from 1 to 20/,
      ],
    ])("search_tools rejects %s", async (_name, args, expected) => {
      expect(await callText("search_tools", args)).toMatch(expected);
    });

    test("finds no tool that is hidden from the caller", async () => {
      const text = await callText("search_tools", { query: "deletes whole shop", limit: 20 });
      expect(text).not.toContain('"wipe"');
    });

    test("serves direct calls, too", async () => {
      expect(await callText("order_get", { id: 3 })).toBe("order get 3");
    });
  });
});

test("observers see calls through call_tool that reach no tool as rejected", async () => {
  const outcomes: unknown[] = [];
  Object.assign(globalThis, { outcomes });
  const client = await connect(await built.load("observed"));
  for (const args of [{ name: "wipe" }, {}, { name: "order_get", arguments: { id: 7 } }])
    await client.callTool("call_tool", args);
  expect(outcomes).toEqual([
    [undefined, "rejected", 'There is no tool "wipe". Search with `search_tools`.'],
    [undefined, "rejected", expect.stringMatching(/^Invalid arguments for tool "call_tool"/)],
    ["order_get", "ok", undefined],
  ]);
  Reflect.deleteProperty(globalThis, "outcomes");
});

test("calls by way of call_tool have the rights of their caller, and count for its rate limit", async () => {
  const client = await connect(await built.load("ada"), { principal: "ada" });
  const found = await client.callTool("search_tools", { query: "wipe the shop", limit: 1 });
  expect(found.structuredContent).toMatchObject({ tools: [{ name: "wipe" }] });
  const call = (): Promise<{ content: unknown }> => client.callTool("call_tool", { name: "wipe" });
  expect((await call()).content).toEqual([{ type: "text", text: "Wiped by ada" }]);
  for (let count = 2; count < 40; count++) await call();
  expect(await call()).toMatchObject({ isError: true });
});

test.each([
  [["search_tools", "query=cancel a refund", "limit=1"], '"name": "refund_cancel"'],
  [["call_tool", "name=refund_cancel", "arguments.id=7"], "refund cancel 7"],
  [["refund_cancel", "id=7"], "refund cancel 7"],
])("`tenon call` calls what clients see, and each tool directly: %s", async (args, text) => {
  const project = projectFolder(SOURCES);
  const terminal = recordingTerminal(project.root);
  expect(await run(["call", ...args], terminal).finally(() => project.remove())).toBe(0);
  expect(terminal.stdout()).toContain(text);
});
