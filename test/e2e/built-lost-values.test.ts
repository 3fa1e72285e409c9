import { connect, type TestClient } from "@tenon/runtime/testing";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
  type MockInstance,
} from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

/** Handlers whose types say nothing about a value, of which the client chooses the kind. */
const SOURCE = `
import { Prompt, Resource, Tool, type Context } from "@tenon/runtime";
import { VALUES } from "./values.js";

export class Anything {
  /** Whole. */
  @Tool() whole(kind: string): unknown { return VALUES[kind]; }
  /** An object. */
  @Tool() object(kind: string): object { return { in: VALUES[kind] }; }
  /** A record. */
  @Tool() record(kind: string): Record<string, unknown> { return { in: VALUES[kind] }; }
  /** A member. */
  @Tool() member(kind: string): { in: unknown } { return { in: VALUES[kind] }; }
  /** An undeclared member, which is not sent. */
  @Tool() undeclared(kind: string): { n: number } {
    const more = { n: 1, in: VALUES[kind] };
    return more;
  }
  /** A wrong member. */
  @Tool() optional(kind: string): { in: { a?: string } } { return { in: VALUES[kind] as { a?: string } }; }
  /** The members of an Error. */
  @Tool() declared(): { problem: { message: string } } { return { problem: new Error("bad") }; }
  /** A list. */
  @Tool() list(kind: string): unknown[] { return [VALUES[kind]]; }
  /** A step. */
  @Tool() async step(kind: string, ctx: Context): Promise<{ in: unknown }> {
    return ctx.step("value", () => ({ in: VALUES[kind] }));
  }
  /** Data in text. */
  @Prompt() prompt(kind: string): string { return { in: VALUES[kind] } as never; }
  /** Data. */
  @Resource("any://{kind}") resource(kind: string): Record<string, unknown> { return { in: VALUES[kind] }; }
}
`;

const VALUES = `
class Tagged { readonly [Symbol.toStringTag] = "Tagged"; readonly a = 1; }
class Money { constructor(readonly cents: number) {} toJSON() { return { cents: this.cents }; } }
class Rows { #rows = [1]; get first() { return this.#rows[0]; } }
export const VALUES: Record<string, unknown> = {
  NaN, Infinity: -Infinity, function: () => 1, symbol: Symbol("a"),
  error: new Error("bad"), codedError: Object.assign(new TypeError("bad"), { code: "E" }),
  promise: Promise.resolve(1), weakMap: new WeakMap(), generator: (function* () { yield 1; })(),
  floats: new Float64Array([1]), search: new URLSearchParams("a=1"), view: new DataView(new ArrayBuffer(1)),
  invalidDate: new Date(NaN), deep: [{ a: { b: NaN } }],
  text: "a", none: null, empty: {}, bare: Object.create(null), tagged: new Tagged(), money: new Money(5),
  date: new Date(0), map: new Map([["a", 1]]), set: new Set([1]), big: 5n, url: new URL("https://a.example/"),
  bytes: new Uint8Array([1]), boxed: Object(5), method: { a: 1, b() { return 1; } }, nothing: undefined,
  rows: new Rows(),
};
`;

/** Values of which JSON loses the content, as messages describe them. */
const LOST: [kind: string, description: string][] = [
  ["NaN", "is NaN"],
  ["Infinity", "is -Infinity"],
  ["symbol", "is a symbol"],
  ["error", "is an Error"],
  ["codedError", "is a TypeError"],
  ["promise", "is a Promise"],
  ["weakMap", "is a WeakMap"],
  ["generator", "is a Generator"],
  ["floats", "is a Float64Array"],
  ["search", "is a URLSearchParams"],
  ["view", "is a DataView"],
  ["invalidDate", "is an invalid Date"],
];

/** Values that JSON represents, and how. */
const KEPT: [kind: string, json: unknown][] = [
  ["text", "a"],
  ["none", null],
  ["empty", {}],
  ["bare", {}],
  ["tagged", { a: 1 }],
  ["money", { cents: 5 }],
  ["date", "1970-01-01T00:00:00.000Z"],
  ["map", [["a", 1]]],
  ["set", [1]],
  ["big", "5"],
  ["url", "https://a.example/"],
  ["bytes", "AQ=="],
  ["boxed", 5],
  ["method", { a: 1 }],
  ["nothing", undefined],
  ["rows", {}],
];

/** Values of `KEPT` that a step would return as something else in a later run. */
const CHANGED = ["money", "date", "map", "set", "big", "url", "bytes", "method", "rows"];

let built: BuiltServer;
let client: TestClient;
let stderr: MockInstance<typeof process.stderr.write>;

beforeAll(async () => {
  built = await buildServer({ "src/anything.ts": SOURCE, "src/values.ts": VALUES });
  client = await connect(await built.load("lost"), { showErrors: false });
});
afterAll(() => built.remove());
beforeEach(() => {
  stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  stderr.mockRestore();
});

const readLog = (): string => stderr.mock.calls.map(([text]) => String(text)).join("");

describe("a part whose content JSON would lose", () => {
  describe.each(["object", "record", "member", "list", "whole"])("in the result of `%s`", (tool) => {
    // A whole result is awaited.
    const lost = LOST.filter(([kind]) => tool !== "whole" || kind !== "promise");
    it.each(lost)("is rejected: %s", async (kind, description) => {
      expect(await client.callTool(tool, { kind })).toMatchObject({ isError: true });
      const path = { list: "`[0]`", whole: "it" }[tool] ?? "`in`";
      expect(readLog()).toContain(`The returned value cannot be written as JSON: ${path} ${description}. `);
    });
  });

  it.each(["list", "whole"])("is rejected in the result of `%s`: a function", async (tool) => {
    expect(await client.callTool(tool, { kind: "function" })).toMatchObject({ isError: true });
    expect(readLog()).toContain("is a function");
  });

  it.each(LOST)("is rejected in the data of a resource: %s", async (kind, description) => {
    await expect(client.readResource(`any://${kind}`)).rejects.toMatchObject({ code: -32603 });
    expect(readLog()).toContain(`\`in\` ${description}. `);
  });

  it.each(LOST)("is rejected in the message of a prompt: %s", async (kind) => {
    await expect(client.getPrompt("prompt", { kind })).rejects.toMatchObject({ code: -32603 });
    expect(readLog()).toContain("it must be a string (got an object)");
  });

  it.each(LOST)("is rejected in a member of another type: %s", async (kind) => {
    expect(await client.callTool("optional", { kind })).toMatchObject({ isError: true });
  });

  it.each(LOST)("is neither sent nor reported in an undeclared member: %s", async (kind) => {
    expect(await client.callTool("undeclared", { kind })).toMatchObject({ structuredContent: { n: 1 } });
  });

  it("is named by its path", async () => {
    await client.callTool("record", { kind: "deep" });
    expect(readLog()).toContain(
      "OutputError: The returned value cannot be written as JSON: `in[0].a.b` is NaN. Return a JSON value instead, or omit it.",
    );
  });

  it("is sent where its type declares its members", async () => {
    expect(await client.callTool("declared")).toMatchObject({
      structuredContent: { problem: { message: "bad" } },
    });
  });
});

describe("a part that JSON represents", () => {
  it.each(KEPT)("is sent: %s", async (kind, json) => {
    for (const tool of ["object", "record", "member"]) {
      const { structuredContent } = await client.callTool(tool, { kind });
      expect(structuredContent).toEqual(json === undefined ? {} : { in: json });
    }
  });
});

describe("the result of a step", () => {
  it.each([...LOST.map(([kind]) => kind), ...CHANGED])(
    "is rejected if JSON would change it: %s",
    async (kind) => {
      expect(await client.callTool("step", { kind })).toMatchObject({ isError: true });
      expect(readLog()).toContain('The result of the step "value" must be JSON, because a later run');
      expect(readLog()).toMatch(/but `in(?:\.b)?` is /);
    },
  );

  it.each(KEPT.filter(([kind]) => !CHANGED.includes(kind)))("is recorded: %s", async (kind, json) => {
    const { structuredContent } = await client.callTool("step", { kind });
    expect(structuredContent).toEqual(json === undefined ? {} : { in: json });
  });
});
