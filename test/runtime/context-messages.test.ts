/**
 * Values that handlers pass to their context although the protocol does not allow them, and repeated steps.
 */
import type { Context } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { describe, expect, test } from "vitest";
import { createFixture } from "./fixture/application.js";
import { Prompts, Resources, Tools } from "./fixture/src/handlers.js";

interface Received {
  progress: Record<string, unknown>[];
  logged: unknown[];
  warnings: string[];
}

/** Returns what the client and the log of the server receive from a handler that does this. */
async function receive(act: (ctx: Context) => void | Promise<void>): Promise<Received> {
  class Reporting extends Tools {
    override async countdown(_steps: number, ctx: Context): Promise<string> {
      await act(ctx);
      return "done";
    }
  }
  const warnings: string[] = [];
  const provide = [new Reporting(), new Prompts(), new Resources()];
  const server = createServer(createFixture({ provide, log: ({ msg }) => warnings.push(msg) }));
  const client = await connect(server, { logLevel: "debug" });
  const progress: Record<string, unknown>[] = [];
  await client.callTool("countdown", { steps: 1 }, { onProgress: (each) => progress.push({ ...each }) });
  const messages = client.notifications.filter(({ method }) => method === "notifications/message");
  const reports = progress.map(({ progressToken: _token, ...report }) => report);
  return { progress: reports, logged: messages.map(({ params }) => params["data"]), warnings };
}

describe("a progress report", () => {
  test.each([
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    ["3" as unknown as number, '"3"'],
  ])("is not sent with %s, and the author is warned once", async (value, shown) => {
    const { progress, warnings } = await receive((ctx) => {
      ctx.progress(1, 10);
      ctx.progress(value, 10);
      ctx.progress(value, 10);
      ctx.progress(4, 10);
    });
    expect(progress).toEqual([
      { progress: 1, total: 10 },
      { progress: 4, total: 10 },
    ]);
    expect(warnings).toEqual([
      `Progress must be a finite number greater than the one before, 1, but is ${shown}, so it is not sent (in "countdown"; logged once).`,
    ]);
  });

  test("is sent without a total that is not finite", async () => {
    const { progress, warnings } = await receive((ctx) => ctx.progress(1, Number.NaN, "Page 1"));
    expect(progress).toEqual([{ progress: 1, message: "Page 1" }]);
    expect(warnings).toEqual([
      expect.stringContaining("The total of progress must be a finite number, but is NaN"),
    ]);
  });
});

describe("log data", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  test.each<[string, unknown, unknown]>([
    ["text", "text", "text"],
    ["a bigint", 5n, "5"],
    ["a map", new Map([["a", 1]]), [["a", 1]]],
    [
      "a set and a date",
      { tags: new Set(["a"]), at: new Date(0) },
      { tags: ["a"], at: "1970-01-01T00:00:00.000Z" },
    ],
    ["an error", new TypeError("Broken"), "TypeError: Broken"],
    [
      "an error in an object",
      { error: new Error("Broken"), rate: Number.NaN },
      { error: "Error: Broken", rate: "NaN" },
    ],
    ["undefined", undefined, "undefined"],
    [
      "a circular value",
      circular,
      "The data cannot be logged: A circular value cannot be written as JSON: `self` refers to a value that contains it.",
    ],
  ])("may be %s", async (_name, data, sent) => {
    expect((await receive((ctx) => ctx.log("info", data))).logged).toEqual([sent]);
  });
});

describe("a step", () => {
  test("is performed once, and reported once, if a run uses its key twice", async () => {
    const results: number[] = [];
    const { warnings } = await receive(async (ctx) => {
      for (const n of [1, 2, 3]) results.push(await ctx.step("item", () => n));
    });
    expect(results).toEqual([1, 1, 1]);
    expect(warnings).toEqual([
      'The key "item" of a step was used twice in one run, so only the first effect was performed, and both have its ' +
        'result (in "countdown"; logged once). Give each effect of a call its own key.',
    ]);
  });

  test("may be tried again after a failure", async () => {
    const { warnings } = await receive(async (ctx) => {
      await expect(ctx.step("item", () => Promise.reject(new Error("busy")))).rejects.toThrow("busy");
      expect(await ctx.step("item", () => 1)).toBe(1);
    });
    expect(warnings).toEqual([]);
  });
});

describe("a request to the client's model", () => {
  const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Hello" } }];

  test.each<[object, string]>([
    [{ messages, maxTokens: -1 }, "`maxTokens` of `ctx.sample` must be a positive integer (got -1)."],
    [{ messages, maxTokens: 1.5 }, "`maxTokens` of `ctx.sample` must be a positive integer (got 1.5)."],
    [
      { messages, maxTokens: 5, temperature: Number.NaN },
      "`temperature` of `ctx.sample` must be a finite number",
    ],
    [
      { messages, maxTokens: 5, modelPreferences: { speedPriority: 7 } },
      "`modelPreferences.speedPriority` of `ctx.sample` must be a number from 0 to 1 (got 7).",
    ],
    [{ messages: "Hello", maxTokens: 5 }, '`messages` of `ctx.sample` must be an array (got "Hello").'],
    [
      { messages: [{ ...messages[0], role: "system" }], maxTokens: 5 },
      '`messages[0].role` of `ctx.sample` must be "user" or "assistant" (got "system").',
    ],
    [
      { messages: [{ role: "user", content: { type: "text" } }], maxTokens: 5 },
      "`messages[0].content` of `ctx.sample` must be a content block, or an array of them",
    ],
    [
      {
        messages: [{ role: "user", content: { type: "tool_result", toolUseId: "1", content: [] } }],
        maxTokens: 5,
      },
      'does not declare the capability "sampling.tools"',
    ],
  ])("with invalid parameters is an error: %j", async (params, problem) => {
    const { warnings } = await receive(async (ctx) => {
      await expect(ctx.sample(params as never)).rejects.toThrow(problem);
    });
    expect(warnings).toEqual([]);
  });
});

describe("a question after the response", () => {
  test.each(["2025-11-25", "2026-07-28"])("is an error at %s", async (revision) => {
    let late: Promise<unknown> | undefined;
    class Late extends Tools {
      override async countdown(_steps: number, ctx: Context): Promise<string> {
        late = new Promise((resolve) => setTimeout(resolve, 10)).then(() => ctx.roots());
        late.catch(() => {});
        return "done";
      }
    }
    const provide = [new Late(), new Prompts(), new Resources()];
    const client = await connect(createServer(createFixture({ provide })), {
      revision,
      answers: { roots: [{ uri: "file:///work" }] },
    });
    await client.callTool("countdown", { steps: 1 });
    await expect(late).rejects.toThrow("The call has ended, so the handler can no longer ask its client.");
  });
});
