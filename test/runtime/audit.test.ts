import {
  type LogEntry,
  type ObservedCall,
  type Observation,
  type Observer,
  type ServerConfig,
  ToolError,
} from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { audit, jsonLog } from "@tenon/runtime/log";
import { type Application, createServer, type Server } from "@tenon/runtime/server";
import { connect, type ConnectOptions, type TestClient } from "@tenon/runtime/testing";
import { describe, expect, test } from "vitest";
import { describeTransports, LATEST, LATEST_LEGACY, quietServer } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { WireClient } from "../support/wire-client.js";
import { headersFor } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { modern } from "./auth/pretended-tokens.js";
import { createFixture } from "./fixture/application.js";
import { Tools } from "./fixture/src/handlers.js";
import { createTasksFixture } from "./tasks/application.js";

const REVISIONS = [LATEST_LEGACY, LATEST];
const text = expect.any(String) as string;

/** A request, and the members that its line must contain. */
const CALLS: [string, string, Record<string, unknown>, Partial<Record<string, unknown>>][] = [
  ["a tool", "tools/call", { name: "add", arguments: { a: 1, b: 2 } }, { target: "add", outcome: "ok" }],
  [
    "a prompt",
    "prompts/get",
    { name: "plan", arguments: { city: "Oslo", mood: "calm" } },
    { target: "plan", outcome: "ok" },
  ],
  [
    "a resource",
    "resources/read",
    { uri: "notes://today" },
    { target: "today", uri: "notes://today", outcome: "ok" },
  ],
  ["a template", "resources/read", { uri: "note://7" }, { target: "note", uri: "note://7", outcome: "ok" }],
  [
    "suggestions",
    "completion/complete",
    { ref: { type: "ref/prompt", name: "plan" }, argument: { name: "mood", value: "" } },
    { target: "plan", outcome: "ok" },
  ],
  [
    "a tool that reports failure",
    "tools/call",
    { name: "fail", arguments: { how: "tool" } },
    { target: "fail", outcome: "failed" },
  ],
  [
    "a tool that does not exist",
    "tools/call",
    { name: "ad", arguments: {} },
    { target: "ad", outcome: "rejected", code: -32602 },
  ],
  ["a tool that is hidden", "tools/call", { name: "hidden" }, { target: "hidden", outcome: "rejected" }],
  ["a call without a name", "tools/call", {}, { target: "", outcome: "rejected", code: -32602 }],
  [
    "invalid arguments",
    "tools/call",
    { name: "add", arguments: { a: "x" } },
    { target: "add", outcome: "rejected" },
  ],
  [
    "a URI that does not exist",
    "resources/read",
    { uri: "note:x" },
    { target: "note:x", outcome: "rejected" },
  ],
  [
    "a tool with an error in it",
    "tools/call",
    { name: "fail", arguments: { how: "later" } },
    { target: "fail", outcome: "internal-error", reference: text },
  ],
  [
    "a prompt with an error in it",
    "prompts/get",
    { name: "broken" },
    { target: "broken", outcome: "internal-error", code: -32603, reference: text },
  ],
  [
    "a result that violates its schema",
    "tools/call",
    { name: "wrong" },
    { target: "wrong", outcome: "internal-error", reference: text },
  ],
];

/** Expects one line for a call, without anything that was sent or returned. */
function checkLine(entries: readonly LogEntry[], row: (typeof CALLS)[number], client: WireClient): void {
  const [, method, , expected] = row;
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    level: "info",
    event: "call",
    ms: expect.any(Number) as number,
    msg: expect.stringMatching(/^[a-z]+\/[a-z]+ .*: [a-z-]+ in [\d.]+ ms/) as string,
    method,
    revision: client.revision,
    ...expected,
  });
  expect(entries[0]).not.toHaveProperty("arguments");
  if (!("code" in expected) && expected["outcome"] !== "rejected")
    expect(entries[0]).not.toHaveProperty("code");
  if (!("reference" in expected)) expect(entries[0]).not.toHaveProperty("reference");
}

describe("every call is one line", () => {
  const entries: LogEntry[] = [];
  const application = (): Application =>
    createFixture({ observe: [audit({ log: (entry) => entries.push(entry) })] });

  describeTransports(application, (open, transport) => {
    describe.each(REVISIONS)("at %s", (revision) => {
      test.each(CALLS)("%s", async (...row) => {
        const client = await open({ revision });
        entries.splice(0);
        await client.request(row[1], row[2]);
        checkLine(entries, row, client);
        expect(entries[0]?.["transport"]).toBe(["memory", "stdio"].includes(transport) ? "stdio" : "http");
        // A legacy client over HTTP has a session, and a modern one never.
        if (transport === "http") expect("session" in (entries[0] ?? {})).toBe(revision === LATEST_LEGACY);
      });
    });
  });
});

async function start(
  application: (config: ServerConfig) => Application,
  config: ServerConfig = {},
  options: ConnectOptions = {},
): Promise<{ client: TestClient; entries: LogEntry[] }> {
  const entries: LogEntry[] = [];
  const log = (entry: LogEntry): void => void (entry.event === "call" && entries.push(entry));
  const server = createServer(application({ log, observe: [audit()], ...config }), {
    onInternalError: () => {},
  });
  return { client: await connect(server, { showErrors: false, ...options }), entries };
}

test.each<[string, ServerConfig["log"]]>([
  ["warn", "warn"],
  ["off", "off"],
  ["error", jsonLog({ level: "error", write: () => {} })],
])("a log of the level %s, which would omit the audit, is rejected", (level, log) => {
  const create = (observer: Observer): Server => createServer(createFixture({ log, observe: [observer] }));
  expect(() => create(audit())).toThrow(
    `\`audit()\` writes lines of the level "info", which \`log\` omits, since its level is "${level}".`,
  );
  expect(() => create(audit({ log: () => {} }))).not.toThrow();
});

test("a server that starts later with the same observer receives only the entries of its own calls", async () => {
  const observe = [audit()];
  const first = await start(createFixture, { observe });
  await first.client.callTool("add", { a: 1, b: 2 });
  const second = await start(createFixture, { observe });
  await second.client.callTool("nothing");
  expect(first.entries).toMatchObject([{ target: "add" }]);
  expect(second.entries).toMatchObject([{ target: "nothing" }]);
});

describe.each(REVISIONS)("the outcome at %s", (revision) => {
  test("reports cancellation by the client", async () => {
    const { client, entries } = await start(createFixture, {}, { revision });
    const controller = new AbortController();
    const call = client.callTool("never", {}, { signal: controller.signal }).catch(() => {});
    controller.abort();
    await call;
    await eventually(async () => expect(entries).toMatchObject([{ target: "never", outcome: "cancelled" }]));
  });

  test("reports a closed connection", async () => {
    const { client, entries } = await start(createFixture, {}, { revision });
    void client.callTool("never").catch(() => {});
    client.close();
    expect(entries).toMatchObject([{ target: "never", outcome: "cancelled" }]);
  });

  test("reports a timeout", async () => {
    const { client, entries } = await start(createFixture, { limits: { callTimeoutMs: 5 } }, { revision });
    await client.callTool("never");
    await client.callTool("add", { a: 1, b: 2 });
    expect(entries).toMatchObject([{ outcome: "timeout" }, { outcome: "ok" }]);
  });

  test("reports a missing scope", async () => {
    const requireScope = (config: ServerConfig): Application => {
      const { manifest, ...rest } = createFixture(config);
      const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["admin"] }));
      return { ...rest, manifest: { ...manifest, tools } };
    };
    const { client, entries } = await start(requireScope, {}, { revision, principal: "ada" });
    await client.callTool("add", { a: 1, b: 2 });
    expect(entries).toMatchObject([{ target: "add", outcome: "rejected", subject: "ada" }]);
  });

  test("reports a rate limit", async () => {
    const rateLimit = { calls: 1, windowMs: 60_000 };
    const { client, entries } = await start(createFixture, { rateLimit }, { revision });
    for (let index = 0; index < 2; index++) await client.callTool("add", { a: 1, b: 2 });
    expect(entries).toMatchObject([{ outcome: "ok" }, { outcome: "rejected" }]);
  });

  test("reports too many calls in progress", async () => {
    const limits = { maxConcurrentCallsPerCaller: 1 };
    const { client, entries } = await start(createFixture, { limits }, { revision, principal: "ada" });
    void client.callTool("never").catch(() => {});
    await client.callTool("add", { a: 1, b: 2 }).catch(() => {});
    expect(entries).toMatchObject([{ target: "add", outcome: "rejected" }]);
  });

  test("reports a question to the client", async () => {
    const answers = { elicit: () => ({ action: "accept" as const, content: { name: "Ada" } }) };
    const createAsking = (config: ServerConfig): Application => ({ ...createAskingFixture(), config });
    const { client, entries } = await start(createAsking, {}, { revision, answers });
    await client.callTool("greet");
    const outcomes = entries.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(revision === LATEST ? ["input-required", "ok"] : ["ok"]);
  });

  test("reports an answer that is not valid as a failure, not as a cancellation", async () => {
    const answers = { elicit: () => ({ action: "accept" as const, content: { name: 5 } }) };
    const createAsking = (config: ServerConfig): Application => ({ ...createAskingFixture(), config });
    const { client, entries } = await start(createAsking, {}, { revision, answers });
    await client.callTool("greet").catch(() => {});
    await eventually(() => expect(entries.at(-1)).toMatchObject({ target: "greet", outcome: "failed" }));
  });
});

test("the outcome reports a state that this server has not created", async () => {
  const createAsking = (config: ServerConfig): Application => ({ ...createAskingFixture(), config });
  const { client, entries } = await start(createAsking, {}, { revision: LATEST });
  const call = { name: "greet", arguments: {}, requestState: "forged" };
  await expect(client.request("tools/call", call)).rejects.toThrow(
    "`requestState` was not created by this server",
  );
  expect(entries.at(-1)).toMatchObject({ target: "greet", outcome: "rejected" });
});

test("the outcome reports a call that continues as a task", async () => {
  const tasks = (config: ServerConfig): Application => ({ ...createTasksFixture(), config });
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const { client, entries } = await start(tasks, {}, { capabilities });
  await client.request("tools/call", { name: "compute", arguments: { ms: 1 } });
  expect(entries).toMatchObject([{ target: "compute", outcome: "task" }]);
});

test("a response of a middleware instead of the handler is not a rejection", async () => {
  const cached = { content: [], structuredContent: 12 };
  const { client, entries } = await start(createFixture, { use: [async () => cached] });
  await client.callTool("add", { a: 1, b: 2 });
  expect(entries).toMatchObject([{ target: "add", outcome: "ok" }]);
});

test("a secret that crosses the end of a name is masked", async () => {
  const { client, entries } = await start(createFixture);
  const uri = `x:${"a".repeat(230)}/postgres://ada:hunter2@db`;
  await client.readResource(uri).catch(() => {});
  expect(entries).toMatchObject([
    { event: "call", uri: expect.stringContaining("postgres://(secret)") as string },
  ]);
  expect(JSON.stringify(entries)).not.toContain("hunter2");
});

test("a long request ID is cut off", async () => {
  const entries: LogEntry[] = [];
  const observe = [audit({ log: (entry) => entries.push(entry) })];
  const handle = createHttpHandler(quietServer(createFixture({ observe })));
  const params = { name: "add", arguments: { a: 1, b: 2 } };
  const message = { jsonrpc: "2.0" as const, id: "x".repeat(1_000_000), ...modern("tools/call", params) };
  const init = { method: "POST", headers: headersFor(message as never), body: JSON.stringify(message) };
  expect((await handle(new Request("http://localhost/mcp", init))).status).toBe(200);
  expect(entries).toMatchObject([{ target: "add", outcome: "ok", id: "x".repeat(128) }]);
  await handle.close();
});

test("the caller is recorded", async () => {
  const principal = { subject: "ada", client: "desk", issuer: "https://id.example", claims: { jti: "x" } };
  const clientInfo = { name: "app", version: "2.0" };
  const { client, entries } = await start(createFixture, {}, { principal, clientInfo });
  await client.callTool("add", { a: 1, b: 2 });
  expect(entries).toEqual([
    {
      level: "info",
      event: "call",
      msg: expect.stringMatching(/^tools\/call add: ok in [\d.]+ ms by ada$/) as string,
      target: "add",
      outcome: "ok",
      ms: expect.any(Number) as number,
      method: "tools/call",
      subject: "ada",
      client: "desk",
      issuer: "https://id.example",
      application: "app 2.0",
      transport: "stdio",
      revision: LATEST,
      session: text,
      id: expect.anything() as number,
    },
  ]);
});

describe("arguments", () => {
  const withSecret = (config: ServerConfig): Application => {
    const { manifest, ...rest } = createFixture(config);
    const tools = manifest.tools.map((tool) =>
      tool.definition.name === "book"
        ? {
            ...tool,
            input: {
              schema: {
                ...tool.definition.inputSchema,
                properties: {
                  ...tool.definition.inputSchema.properties,
                  notes: { type: "string" as const, writeOnly: true },
                },
              },
            },
          }
        : tool,
    );
    return { ...rest, manifest: { ...manifest, tools } };
  };
  const book = { city: "Oslo", days: 3, notes: "hunter2" };

  test("are recorded on request, with secrets masked", async () => {
    const { client, entries } = await start(withSecret, { observe: [audit({ arguments: true })] });
    await client.callTool("book", book);
    await client.callTool("book", { ...book, days: 99, token: "hunter2" });
    await client.callTool("big", { characters: 1, token: "x".repeat(10_000) });
    await client.callTool("unknown", { password: "hunter2" }).catch(() => {});
    expect(entries.map((entry) => entry["arguments"])).toEqual([
      { city: "Oslo", days: 3, notes: "(secret)" },
      { city: "Oslo", days: 99, notes: "(secret)", token: "(secret)" },
      "(10027 characters)",
      undefined,
    ]);
    expect(entries[1]?.["reason"]).toContain("`days` must be");
    expect(JSON.stringify(entries)).not.toContain("hunter2");
  });

  test("are masked where a failure repeats them, in the audit and in the log", async () => {
    class Repeating extends Tools {
      override async book({ notes = "", days }: { notes?: string; days: number }): Promise<string> {
        if (days === 1) throw new ToolError(`${notes} is wrong.`, { cause: new Error(`with ${notes}`) });
        const error = new Error(`?n=${encodeURIComponent(notes)} ${JSON.stringify({ notes })}`);
        throw Object.assign(error, { sent: notes });
      }
    }
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry): void => void entries.push(entry);
    const provide = [new Repeating()];
    const server = createServer(withSecret({ log, provide, observe: [audit({ arguments: true })] }));
    const client = await connect(server, { showErrors: false });
    // Long messages and members are cut off, but parts of a secret must not stay.
    for (const notes of ['hunter "2"', "1234", "hunter ".repeat(1000)]) {
      for (const days of [1, 2]) await client.callTool("book", { city: "Oslo", days, notes });
    }
    const events = ["tool-error", "call", "internal-error", "call"];
    expect(entries.map(({ event }) => event)).toEqual([...events, ...events, ...events]);
    expect(entries[1]).toMatchObject({ reason: "(secret) is wrong." });
    const text = JSON.stringify(entries);
    expect(text).toContain("?n=(secret)");
    expect(text).not.toMatch(/hunter|1234/);
  });

  test("are omitted by default, with everything that repeats them", async () => {
    const { client, entries } = await start(withSecret);
    await client.callTool("book", { ...book, days: 99 });
    await client.callTool("book", { ...book, city: 5 as unknown as string });
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toMatch(/Oslo|days|hunter2/);
  });
});

describe("an observer", () => {
  const add = { a: 1, b: 2 };

  test("sees every request, before and after it is handled", async () => {
    const seen: string[] = [];
    const observer: Observer = {
      observe: ({ method }) => {
        seen.push(`> ${method}`);
        return { end: ({ outcome }) => void seen.push(`< ${method} ${outcome}`) };
      },
    };
    const { client } = await start(createFixture, { observe: [observer] });
    await client.listTools();
    await client.request("no/such", {}).catch(() => {});
    expect(seen.slice(-4)).toEqual(["> tools/list", "< tools/list ok", "> no/such", "< no/such rejected"]);
  });

  test("sees a handler only when it was reached", async () => {
    const names: (string | undefined)[] = [];
    const note = (call: ObservedCall): void => void names.push(call.name);
    const observer: Observer = {
      observe: (call) => {
        note(call);
        return { end: () => note(call) };
      },
    };
    const { client } = await start(createFixture, { observe: [observer] });
    names.splice(0);
    await client.callTool("add", add);
    await client.callTool("nope").catch(() => {});
    expect(names).toEqual([undefined, "add", undefined, undefined]);
  });

  test("may throw: the error is logged, and the response unchanged", async () => {
    const errors: unknown[] = [];
    const fail = (): never => {
      throw new Error("No disk");
    };
    const served: unknown[] = [];
    const runs: NonNullable<Observation["run"]>[] = [
      fail,
      (serve) => {
        served.push(serve());
        return fail();
      },
      (async (serve: () => unknown) => {
        await serve();
        fail();
      }) as never,
    ];
    const observe = [
      { observe: fail },
      { observe: () => ({ end: fail }) },
      ...runs.map((run) => ({ observe: () => ({ run, end: () => {} }) })),
    ];
    const server = createServer(createFixture({ observe }), {
      onInternalError: ({ subject, error }) => errors.push([subject, (error as Error).message]),
    });
    const client = await connect(server);
    errors.splice(0);
    served.splice(0);
    expect((await client.callTool("add", add)).isError).toBeUndefined();
    const error = ["observer", "No disk"];
    await expect.poll(() => errors).toEqual([error, error, error, error, error]);
    expect(served).toHaveLength(1);
  });

  test("can neither skip nor repeat a call", async () => {
    const runs: unknown[] = [
      () => undefined,
      (serve: () => unknown) => {
        serve();
        return serve();
      },
      async (serve: () => unknown) => {
        await Promise.resolve();
        return serve();
      },
      () => "another answer",
    ];
    const errors: unknown[] = [];
    const observe = runs.map((run) => ({ observe: () => ({ run, end: () => {} }) as Observation }));
    const server = createServer(createFixture({ observe }), {
      onInternalError: ({ error }) => errors.push(error),
    });
    const client = await connect(server);
    expect(await client.callTool("add", add)).toMatchObject({ structuredContent: 3 });
    await expect(client.callTool("nope")).rejects.toThrow('Unknown tool "nope"');
    expect(errors).toEqual([]);
  });

  test("must be an object with `observe`", () => {
    const config = { observe: [() => {}] } as unknown as ServerConfig;
    expect(() => createServer(createFixture(config))).toThrow("observe[0] must be an observer");
  });
});
