/**
 * Progress and log messages with values that JSON cannot represent.
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
async function receive(act: (ctx: Context) => void): Promise<Received> {
  class Reporting extends Tools {
    override async countdown(_steps: number, ctx: Context): Promise<string> {
      act(ctx);
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
  test.each([Number.NaN, Number.POSITIVE_INFINITY, "3" as unknown as number])(
    "is not sent with %s, and the author is warned once",
    async (value) => {
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
        `Progress must be a finite number greater than the one before, 1, but is ${value}, so it is not sent (in "countdown"; logged once).`,
      ]);
    },
  );

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
