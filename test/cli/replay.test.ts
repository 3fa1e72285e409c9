import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: rules of comparison, for any two values.
import { mayBeMasked, toComparable } from "../../packages/cli/src/compare/json/volatile-values.js";
import { findDifferences, parseIgnoredPaths } from "../../packages/cli/src/compare/json/json-differences.js";
import { createSubstitutions } from "../../packages/cli/src/replay/substitutions.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const OLD = "0b7c9f0e-7c1f-4a35-9d0e-0c9d5d1f6a11";
const NEW = "f2a4c1d2-1111-4a35-9d0e-0c9d5d1f6a22";

describe("values that change between runs", () => {
  const period = { from: Date.parse("2026-11-22T17:00:00Z"), to: Date.parse("2026-11-22T17:05:00Z") };
  it.each([
    [`Booked as ${OLD}.`, "Booked as (uuid)."],
    ["at 2026-11-22T17:01:02.345Z", "at (time)"],
    ["on 2020-01-01T00:00:00Z", "on 2020-01-01T00:00:00Z"],
    [Date.parse("2026-11-22T17:01:02Z"), "(time)"],
    [42, 42],
    [
      "failed because of an internal error (reference 0a1b2c3d).",
      "failed because of an internal error (reference (reference)).",
    ],
    [
      { nextCursor: "abc", n: [1] },
      { nextCursor: "(nextCursor)", n: [1] },
    ],
  ])("are substituted: %j", (value, expected) => expect(toComparable(value, period)).toEqual(expected));
});

describe("differences", () => {
  it("are reported at the deepest possible path, with items identified by their names", () => {
    const before = { tools: [{ name: "a", description: "A" }, { name: "b" }], rows: [1, 2] };
    const after = { tools: [{ name: "c" }, { name: "a", description: "AA" }], rows: [1, 3] };
    expect(findDifferences(before, after)).toEqual([
      { path: "tools.a.description", before: "A", after: "AA" },
      { path: "tools.b", before: { name: "b" } },
      { path: "tools.c", after: { name: "c" } },
      { path: "rows[1]", before: 2, after: 3 },
    ]);
    const list = [{ name: "a" }, { name: "b" }];
    expect(findDifferences(list, list.toReversed())).toEqual([
      { path: "", before: ["a", "b"], after: ["b", "a"] },
    ]);
  });

  it.each([
    ["price", []],
    ["rows.*.price", []],
    ["rows[0].price", []],
    ["rows[1].price", ["rows[0].price"]],
    ["rows", []],
  ])("are ignored with --ignore %s", (pattern, left) => {
    const found = findDifferences(
      { rows: [{ price: 1 }] },
      { rows: [{ price: 2 }] },
      parseIgnoredPaths([pattern]),
    );
    expect(found.map(({ path }) => path)).toEqual(left);
  });
});

it("a value from an earlier response is sent back as it is in this run", () => {
  const substitutions = createSubstitutions();
  substitutions.learn(
    { content: [{ text: JSON.stringify({ id: OLD, n: 1 }) }], token: "(secret 1)", name: "Hello Ada" },
    { content: [{ text: JSON.stringify({ id: NEW, n: 1 }) }], token: "t-9", name: "Hello Bob" },
  );
  expect(
    substitutions.apply({ id: OLD, uri: `order://${OLD}/x`, token: "(secret 1)", name: "Hello Ada" }),
  ).toEqual({
    id: NEW,
    uri: `order://${NEW}/x`,
    token: "t-9",
    name: "Hello Ada",
  });
});

it("a string with masked secrets is sent with the original secrets if all of them are known", () => {
  const substitutions = createSubstitutions(new Map([["(secret 1)", "ab"]]));
  expect(substitutions.apply({ name: "It is (secret 1)." })).toEqual({ name: "It is ab." });
  expect(substitutions.knows("It is (secret 1).")).toBe(true);
  expect(substitutions.knows("It is (secret 1), not (secret 2).")).toBe(false);
});

it.each([
  ["It is (secret).", "It is a.", true],
  ["(secret) of (secret)", "12 of 120", true],
  ["(secret)", 12, true],
  ["It is (secret).", "It was a.", false],
  ["It is (secret).", "It is .", false],
  ["It is a.", "It is a.", false],
  ["(secret)", { a: 1 }, false],
])("the masked text %j may be that of another run, which is %j: %s", (recorded, played, expected) => {
  expect(mayBeMasked(recorded, played)).toBe(expected);
});

const line = (ms: number, from: string, message: object, masked?: string[]): string =>
  JSON.stringify({ ms, from, message: { jsonrpc: "2.0", ...message }, ...(masked && { masked }) });

const SHOP = `import { randomUUID } from "node:crypto";
import { Tool, type Context } from "@tenon/runtime";

const orders = new Set<string>();

export class Shop {
  /** Greets. */
  @Tool() greet(name: string): string { return "Hello, " + name + "!"; }
  /** Orders. */
  @Tool() order(what: string): { id: string; what: string; at: Date } {
    const id = randomUUID(); orders.add(id); return { id, what, at: new Date() };
  }
  /** Cancels. */
  @Tool() cancel(id: string): string { return orders.delete(id) ? "Cancelled." : "There is no such order."; }
  /** Logs in. */
  @Tool() login(user: string, password: string): { token: string } { return { token: user + ":" + password }; }
  /** Holder of the seat. */
  @Tool() holder(token: string): string { return String(token.split(":")[0]); }
  /** Books. */
  @Tool() async book(city: string, ctx: Context): Promise<string> {
    const who = await ctx.elicit<{ name: string }>("Who is traveling?");
    return (who.action === "accept" ? who.content.name : who.action) + " to " + city;
  }
  /** Waits until it is cancelled. */
  @Tool() async wait(signal: AbortSignal): Promise<void> {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }
}
`;

describe("tenon replay", () => {
  let project: ProjectFolder;
  beforeAll(() => {
    project = projectFolder({ "src/shop.ts": SHOP });
    for (const era of ["legacy", "modern"])
      project.write({
        [`${era}.jsonl`]: readFileSync(join(import.meta.dirname, `replay/${era}.jsonl`), "utf8"),
      });
  });
  afterAll(() => project.remove());

  const runReplay = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const terminal = recordingTerminal(project.root);
    terminal.out.columns = 60;
    const code = await run(["replay", ...args], terminal);
    return { code, out: terminal.stdout(), err: terminal.stderr() };
  };

  it.each(["legacy", "modern"])("finds no change, and reports what it cannot repeat: %s", async (era) => {
    const { code, out } = await runReplay(`${era}.jsonl`);
    await expect(out).toMatchFileSnapshot(`replay/${era}.txt`);
    expect(code).toBe(0);
  });

  it("replays the newest recording of a folder", async () => {
    const text = readFileSync(join(project.root, "legacy.jsonl"), "utf8");
    project.write({ "sessions/old.jsonl": "", "sessions/new.jsonl": text, "sessions/notes.txt": "" });
    utimesSync(join(project.root, "sessions/old.jsonl"), 0, 0);
    const { code, out } = await runReplay("sessions");
    expect(out).toContain("sessions/new.jsonl");
    expect(code).toBe(0);
  });

  it("prints no terminal commands of a recorded client", async () => {
    const header = {
      tenonRecording: 1,
      startedAt: "2026-01-01T00:00:00Z",
      project: "shop",
      transport: "http",
    };
    const command = "x\u001b[2J\u0007";
    const messages = [
      { id: 1, method: command },
      { id: 2, method: "tools/call", params: { name: command, arguments: {} } },
    ].map((message) => ({ ms: 1, from: "client", message }));
    project.write({
      "commands.jsonl": [header, ...messages].map((each) => `${JSON.stringify(each)}\n`).join(""),
    });
    const { out, err } = await runReplay("commands.jsonl");
    expect(out).toContain("tools/call x");
    for (const character of ["\u001b[2J", "\u0007"]) expect(out + err).not.toContain(character);
  });

  it("makes calls that need a secret if it is given", async () => {
    const { code, out } = await runReplay("legacy.jsonl", "--secret", "1=hunter2");
    expect(out).toContain(`✓ tools/call holder {"token":"(secret 2)"}`);
    expect(out).not.toContain("not repeated");
    expect(code).toBe(0);
  });

  it("repeats calls with answers that were sent with masked headers", async () => {
    const lines = readFileSync(join(project.root, "legacy.jsonl"), "utf8").trim().split("\n");
    const withHeaders = lines.map((each) => {
      const { masked = [], ...recorded } = JSON.parse(each) as { from?: string; masked?: string[] };
      if (recorded.from !== "client") return each;
      const headers = { authorization: "(secret 9)" };
      return JSON.stringify({ ...recorded, headers, masked: [...masked, "/headers/authorization"] });
    });
    project.write({ "headers.jsonl": `${withHeaders.join("\n")}\n` });
    const found = await runReplay("headers.jsonl");
    const { out } = await runReplay("legacy.jsonl");
    expect(found.out).toBe(out.replace("legacy.jsonl", "headers.jsonl"));
  });

  it("finds no change where a short secret is an ordinary word of other responses", async () => {
    const initialize = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "a", version: "1" },
    };
    const answer = { ...initialize, serverInfo: { name: "sample", version: "1.2.3" } };
    const content = [{ type: "text", text: "Hello, (secret 1)!" }];
    project.write({
      "short.jsonl": [
        JSON.stringify({
          tenonRecording: 1,
          startedAt: new Date().toISOString(),
          project: "sample",
          transport: "http",
        }),
        line(0, "client", { id: 1, method: "initialize", params: initialize }),
        line(1, "server", { id: 1, result: answer }),
        line(2, "client", { method: "notifications/initialized" }),
        line(
          3,
          "client",
          {
            id: 2,
            method: "tools/call",
            params: { name: "login", arguments: { user: "ada", password: "(secret 1)" } },
          },
          ["/message/params/arguments/password"],
        ),
        line(4, "server", { id: 2, result: { content: [] } }),
        line(5, "client", {
          id: 3,
          method: "tools/call",
          params: { name: "greet", arguments: { name: "Ada" } },
        }),
        line(6, "server", { id: 3, result: { content } }, ["/message/result/content/0/text"]),
        "",
      ].join("\n"),
    });
    const { out } = await runReplay("short.jsonl");
    expect(out).toContain('✓ tools/call greet {"name":"Ada"}');
    expect(out).toContain("1 not repeated");
  });

  it("shows what changed, for people and programs, without ignored values", async () => {
    const changed = SHOP.replace('"Hello, "', '"Hi, "')
      .replace("Who is traveling?", "Who travels?")
      .replace("order(what: string)", "order(what: string, rush?: boolean)");
    project.write({ "src/shop.ts": changed });
    const { code, out } = await runReplay("legacy.jsonl");
    await expect(out).toMatchFileSnapshot("replay/changed.txt");
    expect(code).toBe(1);
    const { requests, questions } = JSON.parse((await runReplay("legacy.jsonl", "--json")).out) as {
      requests: { status: string; name?: string }[];
      questions: { differences: object[] }[];
    };
    expect(requests.filter(({ status }) => status === "changed").map(({ name }) => name)).toEqual([
      undefined,
      "greet",
    ]);
    expect(questions).toMatchObject([
      { differences: [{ path: "message", before: "Who is traveling?", after: "Who travels?" }] },
    ]);
    expect((await runReplay("legacy.jsonl", "-i", "text", "-i", "message", "-i", "rush")).code).toBe(0);
    project.write({ "src/shop.ts": SHOP });
  });

  it("writes a test, but does not overwrite an existing file", async () => {
    const { code, err } = await runReplay("legacy.jsonl", "--write-test");
    expect(err).toBe("✓ Wrote test/legacy.test.ts: 5 calls; omitted 3 calls that cannot be repeated\n");
    expect(code).toBe(0);
    const source = readFileSync(join(project.root, "test/legacy.test.ts"), "utf8");
    await expect(source).toMatchFileSnapshot("replay/test-file.txt");
    const again = await runReplay("legacy.jsonl", "--write-test");
    expect(again.err).toContain("test/legacy.test.ts already exists.");
    expect(again.code).toBe(1);
  });

  it("writes a test that accepts any value at an ignored path", async () => {
    const ignored = ["--ignore", "structuredContent.what", "--ignore", "content.0.text"];
    await runReplay("legacy.jsonl", "--write-test", "test/ignored.test.ts", ...ignored);
    const source = readFileSync(join(project.root, "test/ignored.test.ts"), "utf8");
    expect(source).toContain("what: expect.anything(),");
    expect(source).toContain("text: expect.anything() }");
  });

  it("succeeds when it writes a test although responses changed", async () => {
    project.write({ "src/shop.ts": SHOP.replace("Hello, ", "Hi, ") });
    const { code, err } = await runReplay("legacy.jsonl", "--write-test", "test/changed.test.ts");
    project.write({ "src/shop.ts": SHOP });
    expect(err).toContain("✓ Wrote test/changed.test.ts");
    expect(err).toContain("The test expects the recorded responses, so it fails until they match again.");
    expect(code).toBe(0);
  });

  it.each([
    [["nowhere.jsonl"], 2, "nowhere.jsonl does not exist."],
    [[], 1, "No recording was found in .tenon/recordings."],
    [["src"], 1, "No recording was found in src."],
    [["package.json"], 1, "is not a recording"],
    [["legacy.jsonl", "--as", "{}"], 2, "--as requires"],
    [
      ["legacy.jsonl", "--as", '{"subject":"ada","scope":"admin"}'],
      2,
      "--as does not accept the member `scope`.",
    ],
    [["legacy.jsonl", "--secret", "x"], 2, "--secret requires"],
    [["legacy.jsonl", "--secret", "99=x"], 2, "The recording contains no secret 99."],
    [["legacy.jsonl", "--secret", "1=a", "--secret", "1=b"], 2, "`--secret` gives `1` more than one value."],
    [["empty.jsonl"], 1, "Nothing was compared, since no request could be repeated."],
  ])("rejects %j", async (args, code, message) => {
    const [header = ""] = readFileSync(join(project.root, "legacy.jsonl"), "utf8").split("\n", 1);
    project.write({ "empty.jsonl": `${header}\n` });
    const found = await runReplay(...args);
    expect(found.err).toContain(message);
    expect(found.code).toBe(code);
  });
});

const JOBS = `import { setTimeout as sleep } from "node:timers/promises";
import { Tool, type Context } from "@tenon/runtime";

export class Jobs {
  /** Works. */
  @Tool({ task: "optional" }) async work(ctx: Context): Promise<string> {
    await sleep(200);
    const { name } = await ctx.ask<{ name: string }>("Who?");
    return "Done by " + name + ".";
  }
  /** Lists the folders. */
  @Tool() async folders(ctx: Context): Promise<string> {
    return (await ctx.roots()).map(({ uri }) => uri).join();
  }
}
`;

describe("tenon replay of questions", () => {
  let project: ProjectFolder;
  beforeAll(() => {
    project = projectFolder({ "src/jobs.ts": JOBS });
  });
  afterAll(() => project.remove());

  const runReplay = async (messages: readonly string[], ...args: string[]) => {
    const header = {
      tenonRecording: 1,
      startedAt: new Date().toISOString(),
      project: "x",
      transport: "http",
    };
    project.write({ "session.jsonl": [JSON.stringify(header), ...messages, ""].join("\n") });
    const terminal = recordingTerminal(project.root);
    terminal.out.columns = 60;
    const code = await run(["replay", "session.jsonl", ...args], terminal);
    return { code, out: terminal.stdout(), err: terminal.stderr() };
  };

  it("answers a task when it asks", async () => {
    const key = "io.modelcontextprotocol/";
    const clientCapabilities = { elicitation: { form: {} }, extensions: { [`${key}tasks`]: {} } };
    const _meta = {
      [`${key}protocolVersion`]: "2026-07-28",
      [`${key}clientCapabilities`]: clientCapabilities,
    };
    const params = { taskId: "task-00000001", _meta };
    const task = { ...params, ttlMs: 3_600_000, pollIntervalMs: 500, _meta: {} };
    const times = { createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
    const content = [{ type: "text", text: "Done by Ada." }];
    const messages = [
      line(1, "client", { id: 1, method: "tools/call", params: { name: "work", arguments: {}, _meta } }),
      line(2, "server", { id: 1, result: { resultType: "task", status: "working", ...task, ...times } }),
      line(3, "client", {
        id: 2,
        method: "tasks/update",
        params: { ...params, inputResponses: { "elicit-1": { action: "accept", content: { name: "Ada" } } } },
      }),
      line(4, "server", { id: 2, result: { resultType: "complete" } }),
      line(5, "client", { id: 3, method: "tasks/get", params }),
      line(6, "server", {
        id: 3,
        result: {
          resultType: "complete",
          status: "completed",
          ...task,
          ...times,
          result: { resultType: "complete", content },
        },
      }),
    ];
    const { code, out } = await runReplay(messages, "--ignore", "_meta");
    expect(out).toContain("✓ 3 responses as recorded");
    expect(code).toBe(0);
  });

  it("writes a test that requests the next page with the cursor of its own run", async () => {
    const call = (id: number, cursor: object, nextCursor: object): string[] => [
      line(id, "client", { id, method: "tools/call", params: { name: "pages", arguments: cursor } }),
      line(id, "server", { id, result: { content: [], structuredContent: { items: [id], ...nextCursor } } }),
    ];
    const messages = [
      ...call(1, {}, { nextCursor: "v1.recorded" }),
      ...call(2, { cursor: "v1.recorded" }, {}),
    ];
    await runReplay(messages, "--write-test", "test/pages.test.ts");
    const source = readFileSync(join(project.root, "test/pages.test.ts"), "utf8");
    expect(source).toContain("nextCursor: expect.anything()");
    expect(source).toContain('callTool("pages", { cursor: result1.structuredContent.nextCursor })');
    expect(source).not.toContain("v1.recorded");
  });

  it("writes a test without the calls for which the client shared other folders", async () => {
    const initialize = {
      protocolVersion: "2025-11-25",
      capabilities: { roots: {} },
      clientInfo: { name: "a", version: "1" },
    };
    const call = (id: number, uri: string): string[] => [
      line(id, "client", { id, method: "tools/call", params: { name: "folders", arguments: {} } }),
      line(id, "server", { id: `q${id}`, method: "roots/list", params: {} }),
      line(id, "client", { id: `q${id}`, result: { roots: [{ uri }] } }),
      line(id, "server", { id, result: { content: [{ type: "text", text: uri }] } }),
    ];
    const messages = [
      line(1, "client", { id: 1, method: "initialize", params: initialize }),
      line(1, "server", { id: 1, result: initialize }),
      line(1, "client", { method: "notifications/initialized" }),
      ...call(2, "file:///a"),
      ...call(3, "file:///b"),
      ...call(4, "file:///b"),
    ];
    await runReplay(messages, "--write-test", "test/roots.test.ts");
    const source = readFileSync(join(project.root, "test/roots.test.ts"), "utf8");
    expect(source).toContain("// Not repeated, since the client shared other folders later: folders");
    expect(
      source.match(/callTool\("folders"\)\)\.toHaveProperty\("content", [^;]*"file:\/\/\/b"/g),
    ).toHaveLength(2);
  });
});
