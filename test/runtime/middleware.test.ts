import {
  authorization,
  type HandlerCall,
  type Middleware,
  only,
  type PrincipalInput,
  type ServerConfig,
  ToolError,
  type ToolResult,
} from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Application, createServer } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { headersFor } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { createFixture } from "./fixture/application.js";
import { Prompts, Tools } from "./fixture/handlers.js";
import { createTasksFixture } from "./tasks/application.js";

const LATEST = "2026-07-28";
const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", LATEST];

const clientOf = (application: Application, revision = LATEST, principal?: PrincipalInput) =>
  connect(quietServer(application), {
    revision,
    showErrors: false,
    ...(principal !== undefined && { principal }),
  });

const withUse = (...use: Middleware[]): Application => createFixture({ use });

/** Notes what comes by, and what `next` gives or throws. */
function recorder(name = "seen"): { lines: string[]; record: Middleware } {
  const lines: string[] = [];
  return {
    lines,
    record: async (call, next) => {
      lines.push(`${name} ${call.method} ${call.name}`);
      try {
        const result = await next();
        lines.push(`${name} ${Object.keys(result).sort().join()}`);
        return result;
      } catch (error) {
        lines.push(`${name} ${(error as Error).name}: ${(error as Error).message}`);
        throw error;
      }
    },
  };
}

const ACTS = [
  (client: TestClient) => client.callTool("add", { a: 1, b: 2 }),
  (client: TestClient) => client.getPrompt("plan", { city: "Oslo", mood: "calm" }),
  (client: TestClient) => client.readResource("notes://today"),
  (client: TestClient) => client.readResource("note://7"),
  (client: TestClient) => client.complete({ type: "ref/prompt", name: "plan" }, { name: "mood", value: "" }),
];

/** What a middleware sees of these. */
const SEEN = [
  ["tools/call add", "content,structuredContent"],
  ["prompts/get plan", "description,messages"],
  ["resources/read today", "contents"],
  ["resources/read note", "contents"],
  ["completion/complete plan", "completion"],
];

describe.each(REVISIONS)("at %s", (revision) => {
  test("every handler is wrapped, the first middleware outermost, and answers as without", async () => {
    const outer = recorder("outer");
    const inner = recorder("inner");
    inner.lines.push = outer.lines.push.bind(outer.lines);
    const client = await clientOf(withUse(outer.record, inner.record), revision);
    const plain = await clientOf(createFixture(), revision);
    for (const act of ACTS) expect(await act(client)).toEqual(await act(plain));
    expect(outer.lines).toEqual(
      SEEN.flatMap(([what, member]) => [
        `outer ${what}`,
        `inner ${what}`,
        `inner ${member}`,
        `outer ${member}`,
      ]),
    );
  });

  test("a result of its own has the form of the client's revision", async () => {
    const client = await clientOf(
      withUse(async () => ({ content: [], structuredContent: 12 }) as ToolResult),
      revision,
    );
    const plain = await clientOf(createFixture(), revision);
    const { structuredContent } = await client.callTool("add", { a: 1, b: 2 });
    expect(structuredContent).toEqual(
      { ...(await plain.callTool("add", { a: 10, b: 2 })) }.structuredContent,
    );
  });

  test("what it throws becomes the answer as from a handler", async () => {
    const throwing = (error: Error): Application =>
      withUse(() => {
        throw error;
      });
    const refused = await clientOf(throwing(new ToolError("Not today.")), revision);
    expect(await refused.callTool("add", { a: 1, b: 2 })).toMatchObject({
      isError: true,
      content: [{ text: "Not today." }],
    });
    await expect(refused.getPrompt("conversation")).rejects.toThrow("Not today.");
    const broken = await clientOf(throwing(new Error("hunter2")), revision);
    const { content } = await broken.callTool("add", { a: 1, b: 2 });
    expect(content).toEqual([
      { type: "text", text: expect.stringMatching(/internal error \(reference \w+\)\.$/) as string },
    ]);
  });
});

describe("the call", () => {
  const seen = async (
    look: (call: HandlerCall) => unknown,
    act: (client: TestClient) => Promise<unknown>,
    principal?: PrincipalInput,
  ): Promise<unknown> => {
    let found: unknown;
    const client = await clientOf(
      withUse((call, next) => {
        found = look(call);
        return next();
      }),
      LATEST,
      principal,
    );
    await act(client);
    return found;
  };
  const book = (client: TestClient) => client.callTool("book", { city: "Oslo", days: "3" });

  test("tells who calls what, with what", async () => {
    const look = ({
      definition,
      params,
      arguments: args,
      principal,
      instance,
      revision,
      signal,
    }: HandlerCall) =>
      ({
        title: definition.description,
        days: (params["arguments"] as { days: unknown }).days,
        converted: args["days"],
        subject: principal?.subject,
        isTools: instance instanceof Tools,
        revision,
        aborted: signal.aborted,
      }) as const;
    expect(await seen(look, book, "ada")).toEqual({
      title: "The tool book.",
      days: "3",
      converted: 3,
      subject: "ada",
      isTools: true,
      revision: LATEST,
      aborted: false,
    });
  });

  test.each([
    [
      "a template has its variables",
      (client: TestClient) => client.readResource("climate://Oslo/2020"),
      { city: "Oslo", year: 2020 },
    ],
    [
      "a prompt has its arguments",
      (client: TestClient) => client.getPrompt("plan", { city: "Oslo", mood: "calm", days: "3" }),
      { city: "Oslo", mood: "calm", days: 3 },
    ],
    [
      "a completion has what was typed",
      (client: TestClient) =>
        client.complete({ type: "ref/prompt", name: "plan" }, { name: "mood", value: "c" }, { city: "Oslo" }),
      { mood: "c", city: "Oslo" },
    ],
  ])("%s", async (_name, act, args) => {
    expect(await seen((call) => call.arguments, act)).toEqual(args);
  });

  test("wrong arguments are told when they are read, or before the handler is called", async () => {
    const { lines, record } = recorder();
    for (const first of [
      record,
      (async (call, next) => (call.arguments, record(call, next))) as Middleware,
    ]) {
      const client = await clientOf(withUse(first));
      const { isError, content } = await client.callTool("book", { city: "Oslo", days: 99 });
      expect(isError).toBe(true);
      expect(content).toEqual([{ type: "text", text: expect.stringContaining("`days` must be") as string }]);
    }
    expect(lines).toEqual([
      "seen tools/call book",
      expect.stringMatching(/^seen ToolError: Invalid arguments/),
    ]);
  });

  test("headers are there, credentials are not", async () => {
    const names = ["authorization", "cookie", "dpop", "mcp-session-id", "proxy-authorization", "x-api-key"];
    let found: (string | undefined)[] = [];
    const handle = createHttpHandler(
      quietServer(
        withUse((call, next) => {
          found = ["x-trace", ...names].map((name) => call.header(name));
          return next();
        }),
      ),
    );
    const message = {
      jsonrpc: "2.0" as const,
      id: 1,
      method: "tools/call",
      params: {
        name: "add",
        arguments: { a: 1, b: 2 },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": LATEST,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    };
    const secrets = Object.fromEntries(names.map((name) => [name, "secret"]));
    const headers = { ...headersFor(message), ...secrets, "x-trace": "t1" };
    const body = JSON.stringify(message);
    expect(
      (await handle(new Request("http://localhost/mcp", { method: "POST", headers, body }))).status,
    ).toBe(200);
    expect(found).toEqual(["t1", ...names.map(() => undefined)]);
  });
});

describe("the result", () => {
  const withAnswer = (answer: unknown, config: ServerConfig = {}) =>
    clientOf(createFixture({ use: [(async () => answer) as unknown as Middleware], ...config }));

  test.each([
    ["is nothing", undefined],
    ["is of another kind", { messages: [] }],
    ["is not what is listed", { content: [], structuredContent: "three" }],
    ["has no data where data is listed", { content: [] }],
    ["is no content", { content: [{ type: "video" }] }],
  ])("is refused where it %s", async (_name, answer) => {
    const { isError, content } = await (await withAnswer(answer)).callTool("add", { a: 1, b: 2 });
    expect(isError).toBe(true);
    expect(content).toMatchObject([{ text: expect.stringContaining("internal error") as string }]);
  });

  test("may be an error, a prompt's, a resource's or suggestions", async () => {
    const failed = { content: [{ type: "text", text: "Closed." }], isError: true };
    expect(await (await withAnswer(failed)).callTool("add", { a: 1, b: 2 })).toMatchObject(failed);
    const messages = { messages: [{ role: "user", content: { type: "text", text: "Hi." } }] };
    expect(await (await withAnswer(messages)).getPrompt("conversation")).toMatchObject(messages);
    const contents = { contents: [{ uri: "notes://today", text: "Sun." }] };
    expect(await (await withAnswer(contents)).readResource("notes://today")).toMatchObject(contents);
    const completion = { values: ["calm"] };
    expect(
      await (
        await withAnswer({ completion })
      ).complete({ type: "ref/prompt", name: "plan" }, { name: "mood", value: "" }),
    ).toMatchObject(completion);
  });

  test.each(["2025-11-25", LATEST])("can be changed in a copy alone, at %s", async (revision) => {
    const bracketed: Middleware = async (_call, next) => {
      const result = (await next()) as ToolResult;
      expect(() => result.content.push({ type: "text", text: "more" })).toThrow(TypeError);
      return { ...result, content: [...result.content, { type: "text", text: "more" }] };
    };
    const client = await clientOf(withUse(bracketed), revision);
    expect(await client.callTool("nothing")).toMatchObject({ content: [{ text: "more" }] });
    const { content, structuredContent } = await client.callTool("add", { a: 1, b: 2 });
    expect(content).toHaveLength(2);
    expect(structuredContent).toEqual(revision === LATEST ? 3 : { result: 3 });
  });

  test.each(REVISIONS)("has the text of its data, where only that was changed, at %s", async (revision) => {
    const masked: Middleware = async (_call, next) => ({
      ...(await next()),
      structuredContent: { city: "***", celsius: 0, units: "metric" },
    });
    const client = await clientOf(withUse(masked as Middleware), revision);
    const result = await client.callTool("conditions", { city: "Oslo" });
    expect(JSON.stringify(result)).not.toContain("Oslo");
    expect(result.content).toEqual([{ type: "text", text: '{"city":"***","celsius":0,"units":"metric"}' }]);
  });

  test("is cleaned of control characters, whoever made it", async () => {
    const answer = { content: [{ type: "text", text: "\u001b[31mred" }] };
    expect(await (await withAnswer(answer)).callTool("whole")).toMatchObject({ content: [{ text: "red" }] });
  });

  test("can be tried for again", async () => {
    let attempts = 0;
    const retry: Middleware = async (_call, next) => {
      for (;;) {
        try {
          return await next();
        } catch (error) {
          if (++attempts === 3) throw error;
        }
      }
    };
    const client = await clientOf(withUse(retry));
    expect((await client.callTool("fail", { how: "tool" })).isError).toBe(true);
    expect(attempts).toBe(3);
  });
});

describe("which handlers", () => {
  test("those of a class, or of an instance", async () => {
    const tools = new Tools();
    const { lines, record } = recorder();
    const application = createFixture({
      provide: [tools],
      use: [only(tools, record), only(Prompts, record), only(new Tools(), record)],
    });
    const client = await clientOf(application);
    for (const act of ACTS) await act(client);
    expect(lines.filter((line) => line.includes("/"))).toEqual([
      "seen tools/call add",
      "seen prompts/get plan",
      "seen completion/complete plan",
    ]);
  });

  test("`only` can hold several, the first outermost", async () => {
    const first = recorder("first");
    const second = recorder("second");
    second.lines.push = first.lines.push.bind(first.lines);
    const client = await clientOf(withUse(only(Tools, first.record, second.record)));
    await client.callTool("nothing");
    expect(first.lines).toEqual([
      "first tools/call nothing",
      "second tools/call nothing",
      "second content",
      "first content",
    ]);
  });
});

describe("scopes", () => {
  const scoped = (...use: Middleware[]): Application => {
    const { manifest, ...rest } = createFixture({ use });
    const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["admin"] }));
    return { ...rest, manifest: { ...manifest, tools } };
  };

  test("are checked before the middleware", async () => {
    const { lines, record } = recorder();
    const client = await clientOf(scoped(record));
    expect((await client.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    expect(lines).toEqual([]);
  });

  test("are checked where `authorization` is named", async () => {
    const outside = recorder("outside");
    const inside = recorder("inside");
    const client = await clientOf(scoped(outside.record, authorization, inside.record));
    expect((await client.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    expect(outside.lines[1]).toContain("needs the scope `admin`");
    expect(inside.lines).toEqual([]);
  });
});

describe("calls in several steps", () => {
  const answers = { elicit: () => ({ action: "accept" as const, content: { name: "Ada" } }) };

  test.each([
    ["2025-11-25", ["content"]],
    [LATEST, ["result,resultType", "content"]],
  ])("a handler that asks, at %s", async (revision, results) => {
    const { lines, record } = recorder();
    const server = createServer({ ...createAskingFixture(), config: { use: [record] } });
    const client = await connect(server, { revision, answers });
    expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
    expect(lines.filter((line) => !line.includes("/"))).toEqual(results.map((result) => `seen ${result}`));
  });

  test("a task is followed to its end", async () => {
    const { lines, record } = recorder();
    const server = createServer({ ...createTasksFixture(), config: { use: [record] } });
    const client = await connect(server, {
      revision: LATEST,
      capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
    });
    const { resultType } = await client.request("tools/call", { name: "compute", arguments: { ms: 5 } });
    expect(resultType).toBe("task");
    expect(lines).toEqual(["seen tools/call compute"]);
    await eventually(async () => expect(lines).toHaveLength(2));
  });
});

test("`use` must be functions", () => {
  const config = { use: ["audit"] } as unknown as ServerConfig;
  expect(() => createServer(createFixture(config))).toThrow("`use` must be a list of functions");
});
