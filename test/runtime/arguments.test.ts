import type { UnknownArguments } from "@tenon/runtime";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { quietServer } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";

let client: TestClient;
beforeAll(async () => {
  client = await connect(quietServer(createFixture()));
});

async function call(name: string, args: unknown): Promise<string> {
  const result = await client.request("tools/call", { name, arguments: args });
  const [block] = result["content"] as { text: string }[];
  return `${result["isError"] === true ? "ERROR " : ""}${block?.text ?? ""}`;
}

describe("arguments as models send them", () => {
  test.each([
    ["a number as text", "add", { a: "2", b: " 3.5 " }, "5.5"],
    ["exponents", "add", { a: "1e3", b: 1 }, "1001"],
    ["an integer as text", "book", { city: "Oslo", days: "3" }, "Booked 3 days in Oslo."],
    ["an array as JSON text", "total", { label: "sum", numbers: "[1,2]" }, "sum: 3"],
    ["numbers as text inside an array", "total", { label: "sum", numbers: ["1", 2] }, "sum: 3"],
    ["an object as JSON text", "draw", { shape: '{"kind":"circle","radius":"2"}' }, "circle 2"],
    ["all arguments as JSON text", "add", '{"a":1,"b":2}', "3"],
    ["unknown arguments where they are ignored", "lenient", { city: "Oslo", country: "NO" }, "Oslo"],
    ["no arguments, if none is required", "nothing", null, "Done."],
  ])("are accepted: %s", async (_, name, args, expected) => {
    expect(await call(name, args)).toBe(expected);
  });

  test.each([
    ["text that is not a number", { a: "two", b: 1 }, '`a` must be a number (got "two")'],
    ["hexadecimal", { a: "0x10", b: 1 }, '`a` must be a number (got "0x10")'],
    ["an empty string", { a: "", b: 1 }, '`a` must be a number (got "")'],
    ["infinity", { a: "1e999", b: 1 }, '`a` must be a number (got "1e999")'],
    ["a boolean for a number", { a: true, b: 1 }, "`a` must be a number (got true)"],
    ["null for a number", { a: null, b: 1 }, "`a` must be a number (got null)"],
  ])("are rejected: %s", async (_, args, expected) => {
    expect(await call("add", args)).toBe(`ERROR Invalid arguments for tool "add": ${expected}.`);
  });

  test("are rejected: a number for a string", async () => {
    expect(await call("conditions", { city: 42 })).toBe(
      'ERROR Invalid arguments for tool "conditions": `city` must be a string (got 42).',
    );
  });

  test("are rejected with all problems together, and the nearest names", async () => {
    expect(await call("book", { citty: "Oslo", days: 30, note: "window" })).toBe(
      [
        'ERROR Invalid arguments for tool "book":',
        "- missing argument `city` (a string)",
        "- unknown argument `citty`; did you mean `city`?",
        "- unknown argument `note`; did you mean `notes`?",
        "- `days` must be at most 14 (got 30)",
      ].join("\n"),
    );
  });

  test("are rejected with the choices of an enum, and the likely one", async () => {
    expect(await call("conditions", { city: "Oslo", units: "imperal" })).toContain(
      '`units` must be one of "metric", "imperial"; did you mean "imperial"? (got "imperal")',
    );
  });

  test("are explained by the alternative that was probably meant", async () => {
    expect(await call("draw", { shape: { kind: "square", radius: 2 } })).toBe(
      [
        'ERROR Invalid arguments for tool "draw":',
        "- missing `shape.side` (a number)",
        "- unknown member `shape.radius`; valid: `kind`, `side`",
      ].join("\n"),
    );
    expect(await call("draw", { shape: { kind: "triangle" } })).toContain(
      '`shape.kind` must be one of "circle", "square" (got "triangle")',
    );
  });

  test("are rejected with an example of the expected format", async () => {
    expect(await call("calendar", { since: "soon", tags: [] })).toContain(
      '`since` must be a valid date-time, such as "2026-07-28T09:30:00Z" (got "soon")',
    );
  });

  test("are rejected with each repeated problem once", async () => {
    const message = await call("add", { a: "x".repeat(100_000), b: 1 });
    expect(message.length).toBeLessThan(300);
  });

  test("must be an object", async () => {
    for (const args of [[1, 2], 5, "five", true]) {
      expect(await call("add", args)).toBe(
        'ERROR Invalid arguments for tool "add": the arguments must be an object.',
      );
    }
  });

  test("may have the names of Object.prototype's members", async () => {
    const args: unknown = JSON.parse('{"city":"Oslo","__proto__":{"units":"imperial"},"constructor":1}');
    expect(await call("conditions", args)).toContain("unknown argument `constructor`");
    expect(await call("lenient", args)).toBe("Oslo");
    expect(({} as Record<string, unknown>)["units"]).toBeUndefined();
  });
});

test("a server rejects or ignores unknown arguments, without any other effect", () => {
  const unknownArguments = "warn" as UnknownArguments;
  expect(() => quietServer(createFixture({ unknownArguments }))).toThrow(
    'unknownArguments must be "reject" or "ignore" (got "warn")',
  );
});

describe("a client in a test", () => {
  test("reads what handlers throw", async () => {
    const result = await client.callTool("fail", { how: "later" });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("postgres://") as string }],
    });
  });

  test("receives an error for values that violate the output schema", async () => {
    const result = await client.callTool("wrong");
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("`city` must be a string (got 7)") as string }],
    });
  });

  test("may see what production clients see", async () => {
    const stranger = await connect(quietServer(createFixture()), { showErrors: false });
    expect(JSON.stringify(await stranger.callTool("fail", { how: "error" }))).not.toContain("postgres");
    expect(JSON.stringify(await stranger.callTool("wrong"))).not.toContain("city");
  });
});
