/**
 * Two concurrent calls of the playground: each message and question of the server belongs to one of them.
 */
import type { Context } from "@tenon/runtime";
import { allFeatures } from "@tenon/runtime/features";
import type { JsonSchema } from "@tenon/runtime/manifest";
import { type Application, createServer } from "@tenon/runtime/server";
import { expect, test } from "vitest";
import type { Link } from "../../packages/cli/playground/connection/link.js";
import { createCallHistory } from "../../packages/cli/playground/state/call-history.js";
import type { Call, LogLine } from "../../packages/cli/playground/state/calls.js";
import { createConversations } from "../../packages/cli/playground/state/conversations.js";
import { createUnlistedEntry, NO_LISTS, toEntries } from "../../packages/cli/playground/state/entries.js";
import { DEFAULT_NOTES } from "../../packages/cli/playground/state/notes.js";
import { createQuestions } from "../../packages/cli/playground/state/questions.js";
import { createTestSource } from "../../packages/cli/playground/state/test-source.js";
import { createTimeline } from "../../packages/cli/playground/state/timeline.js";
// Internal: the connections of the playground, without its page.
import {
  createIpcConnections,
  type ToConnections,
} from "../../packages/cli/src/dev/process/ipc-connections.js";
import { toAnswers } from "../../packages/cli/src/testing/canned-answers.js";

class Asking {
  async ask(name: string, ctx: Context): Promise<string> {
    ctx.log("info", `${name} begins`);
    ctx.progress(1, 2, name);
    const schema = { type: "object" as const, properties: { word: { type: "string" as const } } };
    const answer = await ctx.elicit(name, { schema });
    const { content } = await ctx.sample({
      messages: [],
      maxTokens: 9,
      tools: [{ name: "find", inputSchema: { type: "object" } }],
    });
    ctx.log("info", `${name} ends`);
    return JSON.stringify([name, answer, content]);
  }
}

const application: Application = {
  manifest: {
    manifestVersion: 1,
    server: { name: "asking", version: "1.0.0" },
    tools: [
      {
        definition: {
          name: "ask",
          inputSchema: { type: "object", properties: { name: { type: "string" } } },
        },
        handler: {
          module: "src/asking.ts",
          export: "Asking",
          method: "ask",
          parameters: [{ from: "argument", name: "name" }, { from: "context" }],
        },
        input: {},
        output: { kind: "text" },
      },
    ],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  },
  classes: { "src/asking.ts": { Asking } },
  validators: { tools: { ask: { input: () => true } }, prompts: {}, resourceTemplates: {} },
  features: allFeatures,
};

test.each(["2025-11-25", "2026-07-28"])(
  "the playground assigns each message to its call, at %s",
  async (revision) => {
    const server = createServer(application);
    const sent: unknown[] = [];
    const link: Link = {
      send(request) {
        if (request.type === "message") sent.push(request.message);
        // As between processes, nothing is shared.
        connections.receive(structuredClone(request) as ToConnections);
      },
    };
    const connections = createIpcConnections(server, ({ connection, text, about }) => {
      setTimeout(() => conversations.receive(connection, text, about));
    });
    const questions = createQuestions(
      () => [],
      (answer, call) => history.addAnswer(call, answer),
    );
    const history = createCallHistory(questions, () => 0);
    const timeline = createTimeline(() => 0);
    const conversations = createConversations(
      link,
      questions,
      timeline,
      (_conversation, method, params, call) => {
        if (method === "notifications/message") history.addLog(call, params as unknown as LogLine);
      },
    );
    const settings = { ...DEFAULT_NOTES.settings, revision };
    const caller = conversations.open(settings, 1);
    const entry = { ...createUnlistedEntry("ask"), kind: "tool" as const, key: "ask", name: "ask" };
    const names = ["first", "second", "third"];
    const made = names.map((name) =>
      history.make(caller, entry, { args: { name }, settings, build: 1, wantsTask: false }),
    );
    const open = () => questions.open.value;
    await expect.poll(() => open().length).toBe(3);
    for (let left = 6; left > 0; left--) {
      await expect.poll(() => open().length).toBeGreaterThan(0);
      // The newest first: not in the order of the calls.
      const question = open().at(-1);
      const name = names[(question?.call ?? 0) - 1] ?? "";
      if (question?.kind === "elicitation") {
        expect(question.params.message).toBe(name);
        question.answer({ action: "accept", content: { word: name } });
      } else if (question) {
        const content = { type: "tool_use" as const, id: "call-1", name: "find", input: { name } };
        question.answer({ role: "assistant", model: "a person", content, stopReason: "toolUse" });
      }
    }
    await Promise.all(made);
    const toSummary = ({ args, logs, progress, answers }: Call): object => ({
      args,
      logs: logs.map(({ data }) => data),
      progress: progress?.message,
      answers: answers.map(({ given }) =>
        "action" in given ? "content" in given && given.content : given.content,
      ),
    });
    const calls = history.all.value.toReversed();
    for (const [index, name] of names.entries()) {
      const shown = toSummary(calls[index] as Call) as { logs: string[] };
      expect(shown).toMatchObject({
        args: { name },
        progress: name,
        answers: [{ word: name }, { type: "tool_use", id: "call-1", name: "find", input: { name } }],
      });
      expect(new Set(shown.logs)).toEqual(new Set([`${name} begins`, `${name} ends`]));
    }
    // No server receives the key by which the page distinguishes them.
    expect(JSON.stringify(sent)).not.toContain("tenon-playground/call");
    if (revision === "2026-07-28") expect(createTestSource(calls[0] as Call, {})).toMatchSnapshot();
    conversations.endAll();
  },
);

test("a test provides the replies of a model, texts and tool calls alike", async () => {
  const content = { type: "tool_use" as const, id: "call-1", name: "find", input: {} };
  const { sample } = toAnswers({ sample: [{ content, stopReason: "toolUse" }, "Found."] });
  const params = { messages: [], maxTokens: 1 };
  expect(await sample?.(params)).toEqual({
    role: "assistant",
    model: "test",
    content,
    stopReason: "toolUse",
  });
  expect(await sample?.(params)).toMatchObject({
    content: { type: "text", text: "Found." },
    stopReason: "endTurn",
  });
});

test.each([
  ["skill", "skill://refunds/SKILL.md", {}, 'server.client.readResource("skill://refunds/SKILL.md")'],
  ["resource", "skill://daily/data.csv", {}, 'server.client.readResource("skill://daily/data.csv")'],
  [
    "template",
    "skill://accounts/{id}/SKILL.md",
    { id: "acme co" },
    'server.client.readResource("skill://accounts/acme%20co/SKILL.md")',
  ],
  [
    "template",
    "shop://search{?tags*}",
    { tags: ["a", "b c", null] },
    'server.client.readResource("shop://search?tags=a&tags=b%20c&tags=")',
  ],
] as const)("the test of a %s with the URI %s reads it with %j", (kind, key, args, expected) => {
  const entry = { kind, key, name: "account" };
  const call = { entry, args, settings: DEFAULT_NOTES.settings, answers: [] as const };
  expect(createTestSource(call as unknown as Call, {})).toContain(expected);
});

test("a variable that may have several values gets a list", () => {
  const templates = [{ name: "search", uriTemplate: "shop://search{?tags*,q}" }];
  const [entry] = toEntries({ ...NO_LISTS, templates }, { tools: {}, prompts: {}, resources: {} });
  expect(entry?.schema).toEqual({
    type: "object",
    properties: { tags: { type: "array", items: { type: "string" } }, q: { type: "string" } },
    required: [],
  });
});

const EXPECTED_FAILURE = { content: [{ type: "text", text: "`days` must be a number." }], isError: true };

test.each([
  // Methods may have parameters of other types, such as a `Date` and a `Map`.
  [
    "tool",
    { at: "2030-01-31", rates: JSON.parse('{"__proto__":1}') as object },
    'callTool("plan", { at: "2030-01-31", rates: { ["__proto__"]: 1 } })',
  ],
  ["tool", {}, 'callTool("plan")'],
  ["prompt", { days: 3 }, 'getPrompt("plan", { days: "3" })'],
] as const)("the test of a %s with the arguments %j sends them as JSON", (kind, args, expected) => {
  const call = { entry: { kind, key: "plan", name: "Plan" }, args, settings: DEFAULT_NOTES.settings };
  expect(createTestSource({ ...call, answers: [] as const } as unknown as Call, {})).toContain(
    `await server.client.${expected};`,
  );
});

test.each([
  [
    { type: "tool", result: EXPECTED_FAILURE },
    /\.toMatchObject\(\{\n {4}content: [^]*isError: true,\n {2}\}\);/,
  ],
  [
    { type: "error", message: "Unknown tool." },
    /await expect\(server.*\)\.rejects\.toThrow\("Unknown tool\."\);/,
  ],
])("the test of a failed call expects its error: %j", (outcome, expected) => {
  const entry = { kind: "tool", key: "plan", name: "plan" };
  const args = { days: "x" };
  const call = { entry, args, settings: DEFAULT_NOTES.settings, answers: [], done: { outcome, ms: 1 } };
  expect(createTestSource(call as unknown as Call, {})).toMatch(expected);
});

test("the test of a call does not contain its secret arguments", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { user: { type: "string" }, password: { type: "string", writeOnly: true } },
  };
  const args = { user: "ada", password: "hunter2" };
  const entry = { kind: "tool", key: "login", name: "login" };
  const call = { entry, args, settings: DEFAULT_NOTES.settings, answers: [] };
  const source = createTestSource(call as unknown as Call, schema);
  expect(source).toContain("  // The secret arguments were not copied. Add them here.\n");
  expect(source).toContain('callTool("login", { user: "ada" })');
  expect(source).not.toContain("hunter2");
});
