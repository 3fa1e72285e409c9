import {
  authorization,
  type CallResult,
  type HandlerCall,
  type Middleware,
  middlewareFor,
  type PrincipalInput,
  type ServerConfig,
  ToolError,
  type ToolResult,
} from "@tenon/runtime";
import { createHttpHandler } from "@tenon/runtime/http";
import { type Application, createServer } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { describe, expect, test, vi } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { eventually } from "../support/eventually.js";
import { headersFor } from "../support/wires.js";
import { createAskingFixture } from "./asking/application.js";
import { createFixture } from "./fixture/application.js";
import { Prompts, Tools } from "./fixture/src/handlers.js";
import { createTasksFixture } from "./tasks/application.js";

const LATEST = "2026-07-28";
const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", LATEST];

const createClient = (application: Application, revision = LATEST, principal?: PrincipalInput) =>
  connect(quietServer(application), {
    revision,
    showErrors: false,
    ...(principal !== undefined && { principal }),
  });

const withUse = (...use: Middleware[]): Application => createFixture({ use });

/** Creates middleware that records each call, and the result or error of `next`. */
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

/** Requests that a middleware sees. */
const SEEN = [
  ["tools/call add", "content,structuredContent"],
  ["prompts/get plan", "description,messages"],
  ["resources/read today", "contents"],
  ["resources/read note", "contents"],
  ["completion/complete plan", "completion"],
];

describe.each(REVISIONS)("at %s", (revision) => {
  test("middleware wraps every handler, the first one outermost, without changing the response", async () => {
    const outer = recorder("outer");
    const inner = recorder("inner");
    inner.lines.push = outer.lines.push.bind(outer.lines);
    const client = await createClient(withUse(outer.record, inner.record), revision);
    const plain = await createClient(createFixture(), revision);
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

  test("a result of middleware has the format of the client's revision", async () => {
    const client = await createClient(
      withUse(async () => ({ content: [], structuredContent: 12 }) as ToolResult),
      revision,
    );
    const plain = await createClient(createFixture(), revision);
    const { structuredContent } = await client.callTool("add", { a: 1, b: 2 });
    expect(structuredContent).toEqual(
      { ...(await plain.callTool("add", { a: 10, b: 2 })) }.structuredContent,
    );
  });

  test("errors of middleware are handled like those of a handler", async () => {
    const createThrowing = (error: Error): Application =>
      withUse(() => {
        throw error;
      });
    const rejected = await createClient(createThrowing(new ToolError("Not today.")), revision);
    expect(await rejected.callTool("add", { a: 1, b: 2 })).toMatchObject({
      isError: true,
      content: [{ text: "Not today." }],
    });
    await expect(rejected.getPrompt("conversation")).rejects.toThrow("Not today.");
    const broken = await createClient(createThrowing(new Error("hunter2")), revision);
    const { content } = await broken.callTool("add", { a: 1, b: 2 });
    expect(content).toEqual([
      { type: "text", text: expect.stringMatching(/internal error \(reference \w+\)\.$/) as string },
    ]);
  });
});

describe("the call that middleware receives", () => {
  const getSeen = async (
    look: (call: HandlerCall) => unknown,
    act: (client: TestClient) => Promise<unknown>,
    principal?: PrincipalInput,
  ): Promise<unknown> => {
    let found: unknown;
    const client = await createClient(
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

  test("names the caller, the handler, and the arguments", async () => {
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
    expect(await getSeen(look, book, "ada")).toEqual({
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
      "contains the variables of a template",
      (client: TestClient) => client.readResource("climate://Oslo/2020"),
      { city: "Oslo", year: 2020 },
    ],
    [
      "contains the arguments of a prompt",
      (client: TestClient) => client.getPrompt("plan", { city: "Oslo", mood: "calm", days: "3" }),
      { city: "Oslo", mood: "calm", days: 3 },
    ],
    [
      "contains the typed text of a completion",
      (client: TestClient) =>
        client.complete({ type: "ref/prompt", name: "plan" }, { name: "mood", value: "c" }, { city: "Oslo" }),
      { mood: "c", city: "Oslo" },
    ],
  ])("%s", async (_name, act, args) => {
    expect(await getSeen((call) => call.arguments, act)).toEqual(args);
  });

  test("reports invalid arguments when they are read, or before the handler is called", async () => {
    const { lines, record } = recorder();
    for (const first of [
      record,
      (async (call, next) => (call.arguments, record(call, next))) as Middleware,
    ]) {
      const client = await createClient(withUse(first));
      const { isError, content } = await client.callTool("book", { city: "Oslo", days: 99 });
      expect(isError).toBe(true);
      expect(content).toEqual([{ type: "text", text: expect.stringContaining("`days` must be") as string }]);
    }
    expect(lines).toEqual([
      "seen tools/call book",
      expect.stringMatching(/^seen ToolError: Invalid arguments/),
    ]);
  });

  test("includes headers but no credentials", async () => {
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

describe("the result that middleware returns", () => {
  const withAnswer = (answer: unknown, config: ServerConfig = {}) =>
    createClient(createFixture({ use: [(async () => answer) as unknown as Middleware], ...config }));

  test.each([
    ["is undefined", undefined],
    ["belongs to another kind of request", { messages: [] }],
    ["does not match the listed schema", { content: [], structuredContent: "three" }],
    ["lacks the listed data", { content: [] }],
    ["is not content", { content: [{ type: "video" }] }],
  ])("is rejected if it %s", async (_name, answer) => {
    const { isError, content } = await (await withAnswer(answer)).callTool("add", { a: 1, b: 2 });
    expect(isError).toBe(true);
    expect(content).toMatchObject([{ text: expect.stringContaining("internal error") as string }]);
  });

  test.each([
    ["nothing", undefined, 'The middleware "nothing" returned undefined.'],
    ["cached", "three", 'The middleware "cached" returned "three".'],
    ["", { content: "three" }, "A middleware returned an object without a valid `content`."],
  ])("is attributed to the middleware (%s) if it is invalid", async (name, answer, message) => {
    const messages: unknown[] = [];
    const invalid = Object.defineProperty(async () => answer, "name", { value: name });
    const { record } = recorder();
    const config = { use: [record, invalid as unknown as Middleware] };
    const application = createFixture({ ...config, log: ({ err }) => messages.push(err?.message) });
    const client = await connect(createServer(application));
    await client.callTool("add", { a: 1, b: 2 });
    expect(messages).toEqual([
      `${message} Return what \`next()\` resolves to, or a result with \`content\`.`,
    ]);
  });

  test("may be an error, a prompt's result, a resource's contents, or suggestions", async () => {
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

  test.each(["2025-11-25", LATEST])("can be changed only in a copy, at %s", async (revision) => {
    const bracketed: Middleware = async (_call, next) => {
      const result = (await next()) as ToolResult;
      expect(() => result.content.push({ type: "text", text: "more" })).toThrow(TypeError);
      return { ...result, content: [...result.content, { type: "text", text: "more" }] };
    };
    const client = await createClient(withUse(bracketed), revision);
    expect(await client.callTool("nothing")).toMatchObject({
      content: [{ text: "Done." }, { text: "more" }],
    });
    const { content, structuredContent } = await client.callTool("add", { a: 1, b: 2 });
    expect(content).toHaveLength(2);
    expect(structuredContent).toEqual(revision === LATEST ? 3 : { result: 3 });
  });

  test.each(REVISIONS)("cannot be changed in place at any depth, at %s", async (revision) => {
    const errors: unknown[] = [];
    const attempt = (change: () => void): void => {
      try {
        change();
      } catch (error) {
        errors.push(error);
      }
    };
    const masking: Middleware = async (_call, next) => {
      const result = (await next()) as ToolResult & { structuredContent?: { city: string } };
      attempt(() => Object.assign(result.content[0] ?? {}, { text: "***" }));
      attempt(() => Object.assign(result.structuredContent ?? {}, { city: "***" }));
      attempt(() => Object.assign(result, { isError: true }));
      return result;
    };
    const conditions = vi.spyOn(Tools.prototype, "conditions");
    const client = await createClient(withUse(masking), revision);
    const result = await client.callTool("conditions", { city: "Oslo" });
    expect(errors).toEqual([expect.any(TypeError), expect.any(TypeError), expect.any(TypeError)]);
    expect(JSON.stringify(result)).not.toContain("***");
    const value = (await conditions.mock.results[0]?.value) as object;
    expect(Object.isFrozen(value), "the handler's object").toBe(false);
    conditions.mockRestore();
  });

  test.each(REVISIONS)("has the text of its data if only that was changed, at %s", async (revision) => {
    const masked: Middleware = async (_call, next) => ({
      ...(await next()),
      structuredContent: { city: "***", celsius: 0, units: "metric" },
    });
    const client = await createClient(withUse(masked as Middleware), revision);
    const result = await client.callTool("conditions", { city: "Oslo" });
    expect(JSON.stringify(result)).not.toContain("Oslo");
    expect(result.content).toEqual([{ type: "text", text: '{"city":"***","celsius":0,"units":"metric"}' }]);
  });

  test.each(REVISIONS)(
    "has the text of its data if the handler returned no text, at %s",
    async (revision) => {
      const whole = vi.spyOn(Tools.prototype, "whole");
      whole.mockReturnValue({ content: [], structuredContent: { sum: 4711 } } as never);
      const masked: Middleware = async (_call, next) => ({
        ...(await next()),
        structuredContent: { sum: 0 },
      });
      const client = await createClient(withUse(masked as Middleware), revision);
      const result = await client.callTool("whole");
      expect(JSON.stringify(result)).not.toContain("4711");
      expect(result.content).toEqual([{ type: "text", text: '{"sum":0}' }]);
      whole.mockRestore();
    },
  );

  test("is sanitized, whether a handler or middleware produced it", async () => {
    const answer = { content: [{ type: "text", text: "\u001b[31mred" }] };
    expect(await (await withAnswer(answer)).callTool("whole")).toMatchObject({ content: [{ text: "red" }] });
  });

  test("can be produced by calling next again", async () => {
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
    const client = await createClient(withUse(retry));
    expect((await client.callTool("fail", { how: "tool" })).isError).toBe(true);
    expect(attempts).toBe(3);
  });

  test("is final: a handler is not called by a middleware that has ended", async () => {
    const { lines, record } = recorder();
    let late: Promise<unknown> = Promise.resolve();
    const early: Middleware = async (_call, next) => {
      late = new Promise((resolve) => setTimeout(resolve)).then(next).catch((error: Error) => error.message);
      return { content: [], structuredContent: { sum: 0 } };
    };
    const client = await createClient(withUse(early, record));
    await client.callTool("whole");
    expect(await late).toBe('The middleware "early" called next() after it had ended.');
    expect(lines).toEqual([]);
  });
});

describe("middleware for some handlers", () => {
  test("wraps those of a class or an instance", async () => {
    const tools = new Tools();
    const { lines, record } = recorder();
    const application = createFixture({
      provide: [tools],
      use: [middlewareFor(tools, record), middlewareFor(Prompts, record), middlewareFor(new Tools(), record)],
      log: "off",
    });
    const client = await createClient(application);
    for (const act of ACTS) await act(client);
    expect(lines.filter((line) => line.includes("/"))).toEqual([
      "seen tools/call add",
      "seen prompts/get plan",
      "seen completion/complete plan",
    ]);
  });

  test("can consist of several functions in `middlewareFor`, the first one outermost", async () => {
    const first = recorder("first");
    const second = recorder("second");
    second.lines.push = first.lines.push.bind(first.lines);
    const client = await createClient(withUse(middlewareFor(Tools, first.record, second.record)));
    await client.callTool("nothing");
    expect(first.lines).toEqual([
      "first tools/call nothing",
      "second tools/call nothing",
      "second content",
      "first content",
    ]);
  });
});

describe("middleware that can never run", () => {
  class Unserved {
    readonly name = "unserved";
  }

  test("is reported when the server starts", () => {
    const warnings: string[] = [];
    const { record } = recorder();
    const use = [
      record,
      middlewareFor(Unserved, record),
      middlewareFor(new Tools(), record),
      middlewareFor(Tools, record, middlewareFor(Prompts, record)),
      middlewareFor(Tools, middlewareFor(Tools, record)),
    ];
    createServer(createFixture({ use, log: ({ msg }) => warnings.push(msg) }));
    expect(warnings).toEqual([
      'use[1] of defineServer() never runs: middlewareFor() limits it to the class "Unserved", which has no tools, ' +
        "prompts, or resources. Pass a class that has some.",
      'use[2] of defineServer() never runs: middlewareFor() limits it to an instance of "Tools" whose methods are ' +
        "not served. Pass the class, or list the instance in `provide`.",
      "A middlewareFor() inside use[3] of defineServer() never runs, because the outer one excludes its class or instance.",
    ]);
  });

  test.each([
    [[undefined, recorder().record], "must be a class or an instance (got undefined)"],
    [["Tools", recorder().record], "must be a class or an instance (got Tools)"],
    [[Tools], "needs one or more functions after the class"],
    [[Tools, undefined], "needs one or more functions after the class"],
  ])("is rejected by middlewareFor(%o)", (parameters, message) => {
    expect(() => middlewareFor(...(parameters as Parameters<typeof middlewareFor>))).toThrow(message);
  });
});

describe("scopes", () => {
  const createScoped = (...use: Middleware[]): Application => {
    const { manifest, ...rest } = createFixture({ use });
    const tools = manifest.tools.map((tool) => ({ ...tool, scopes: ["admin"] }));
    return { ...rest, manifest: { ...manifest, tools } };
  };

  test("are checked before the middleware", async () => {
    const { lines, record } = recorder();
    const client = await createClient(createScoped(record));
    expect((await client.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    expect(lines).toEqual([]);
  });

  test("are checked at the position of `authorization`", async () => {
    const outside = recorder("outside");
    const inside = recorder("inside");
    const client = await createClient(createScoped(outside.record, authorization, inside.record));
    expect((await client.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    expect(outside.lines[1]).toContain("needs the scope `admin`");
    expect(inside.lines).toEqual([]);
  });

  test("are checked where `authorization` is in the middleware of a class", async () => {
    const outside = recorder("outside");
    const inside = recorder("inside");
    const use = [middlewareFor(Tools, outside.record, authorization, inside.record)];
    const client = await createClient(createScoped(...use));
    expect((await client.callTool("add", { a: 1, b: 2 })).isError).toBe(true);
    expect(outside.lines[1]).toContain("needs the scope `admin`");
    expect(inside.lines).toEqual([]);
  });
});

describe("middleware around calls in several rounds", () => {
  const answers = { elicit: () => ({ action: "accept" as const, content: { name: "Ada" } }) };

  test.each([
    ["2025-11-25", ["content"]],
    [LATEST, ["result,resultType", "content"]],
  ])("sees a handler that asks, at %s", async (revision, results) => {
    const { lines, record } = recorder();
    const server = createServer({ ...createAskingFixture(), config: { use: [record] } });
    const client = await connect(server, { revision, answers });
    expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "Hello, Ada!" }] });
    expect(lines.filter((line) => !line.includes("/"))).toEqual(results.map((result) => `seen ${result}`));
  });

  test.each<[string, Middleware]>([
    [
      "one after the other",
      async (_call, next) => {
        await next();
        return next();
      },
    ],
    ["at once", async (_call, next) => (await Promise.all([next(), next()]))[0]],
  ])("may run a handler that asks twice, %s", async (_name, use) => {
    const server = createServer({ ...createAskingFixture(), config: { use: [use] } });
    const client = await connect(server, { revision: LATEST, answers });
    expect(await client.callTool("welcome")).toMatchObject({ content: [{ text: "Welcome, Ada!" }] });
  });

  const questions: CallResult[] = [];
  test.each<[string, Middleware]>([
    ["copies", async (_call, next) => ({ ...(await next()) })],
    [
      "adds content to",
      async (_call, next) => ({ ...(await next()), content: [{ type: "text", text: "Bye." }] }),
    ],
    [
      "stores",
      async (_call, next) => {
        if (questions.length === 0) questions.push(await next());
        return questions[0]!;
      },
    ],
  ])("must not change questions: middleware that %s them is reported", async (_name, use) => {
    const errors: (string | undefined)[] = [];
    const log: ServerConfig["log"] = ({ err }) => errors.push(err?.message);
    const server = createServer({ ...createAskingFixture(), config: { use: [use], log } });
    const client = await connect(server, { revision: LATEST, answers, showErrors: false });
    expect((await client.callTool("greet")).isError).toBe(true);
    expect(errors).toEqual([expect.stringContaining('stored a result with `resultType: "input_required"`.')]);
  });

  test("sees a task to its end", async () => {
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

test("`use` must contain functions", () => {
  const config = { use: ["audit"] } as unknown as ServerConfig;
  expect(() => createServer(createFixture(config))).toThrow(
    'use[0] must be a function: (call, next) => next() (got "audit")',
  );
});

describe("what middleware reads about a call", () => {
  test.each(["arguments", "params", "definition"] as const)(
    "cannot be changed in place: %s",
    async (name) => {
      const errors: unknown[] = [];
      const changing: Middleware = async (call, next) => {
        const read = call[name] as Record<string, unknown>;
        for (const target of [read, ...Object.values(read).filter((each) => Object(each) === each)]) {
          try {
            Object.assign(target as object, { city: "Rome" });
          } catch (error) {
            errors.push(error);
          }
        }
        return next();
      };
      const conditions = vi.spyOn(Tools.prototype, "conditions");
      const client = await createClient(withUse(changing), LATEST);
      await client.callTool("conditions", { city: "Oslo" });
      const tools = await client.listTools();
      expect(errors.length).toBeGreaterThan(0);
      expect(conditions.mock.calls[0]?.[0]).toBe("Oslo");
      expect(JSON.stringify(tools)).not.toContain("Rome");
      conditions.mockRestore();
    },
  );
});
