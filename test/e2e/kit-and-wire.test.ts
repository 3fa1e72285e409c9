/** The test kit answers each request as the built server does, whatever the handler returns or throws. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";
import { WireClient } from "../support/wire-client.js";
import { stdioWire } from "../support/wires.js";

const REVISIONS = ["2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"] as const;

const SOURCES = {
  "src/cities.json": `["Oslo", "Rome"]`,
  "src/everything.ts": `
    import { NotFoundError, Prompt, Resource, Tool, ToolError, type Content, type Context, type ToolResult } from "@tenon/runtime";
    import cities from "./cities.json" with { type: "json" };
    interface Point { x: number; y?: number }
    enum Color { Red = "red", Blue = "blue" }
    class Missing extends Error { override name = "Missing"; get kind(): string { return this.constructor.name; } }
    /** Its name is that of the class. */
    class Broken extends ToolError { describe(): string { return this.constructor.name; } }

    export class Everything {
      #calls = 0;
      @Tool() nothing(): void {}
      @Tool() anything(kind: string): unknown {
        return { none: null, missing: undefined, result: { result: 1 }, list: [1, undefined], date: new Date(0), nan: NaN }[kind];
      }
      @Tool() wrapped(): { result: number } { return { result: 1 }; }
      @Tool() maybe(n: number): number | null | undefined { return n > 1 ? n : n === 1 ? null : undefined; }
      @Tool() cities(): string[] { return cities; }
      @Tool() point(point: Point, color: Color = Color.Red): Point & { color: Color } { return { ...point, color }; }
      @Tool() leak(): Point { return { x: 1, token: "hidden" } as Point; }
      @Tool() wrong(): Point { return { x: "1" } as never; }
      @Tool() lists(values: number[], ...more: string[]): string { return [...values, ...more].join(); }
      @Tool() dates(at: Date, ids: Set<number>): Map<string, Date> { return new Map([[String(ids.size), at]]); }
      @Tool() bytes(data: Uint8Array): Uint8Array { return data; }
      @Tool() big(n: bigint): bigint { return n + 1n; }
      @Tool() text(): string { return "a\\u001b[31m\\ud800b"; }
      @Tool() image(): Content[] { return [{ type: "image", data: "aGk=", mimeType: "image/png" }]; }
      @Tool() whole(isError: boolean): ToolResult { return { content: [{ type: "text", text: "whole" }], isError }; }
      @Tool() fail(how: string): string {
        if (how === "tool") throw new ToolError("Which city?");
        if (how === "own") throw new Broken(new Broken("").describe());
        if (how === "error") throw new Missing("secret");
        if (how === "text") throw "a text";
        return new Missing("").kind;
      }
      @Tool() count(): number { return ++this.#calls; }
      @Tool() async context(ctx: Context): Promise<string> {
        ctx.progress(1, 2);
        ctx.log("info", "here");
        return [ctx.principal?.subject, ctx.signal.aborted, await ctx.step("one", () => 1)].join();
      }
      @Resource("note://{id}") note(id: number): string | undefined {
        if (id === 3) throw new NotFoundError("There is no third note.");
        if (id === 4) throw new Error("secret");
        return id === 1 ? "# One" : undefined;
      }
      @Resource("data://all") data(): Point[] { return [{ x: 1 }]; }
      @Resource("icon://x") icon(): Uint8Array { return new Uint8Array([1, 2]); }
      @Prompt() plan(city: string, days = 3): string { return city + " " + days; }
    }`,
};

/** Runs all requests with the test kit, in a process as an author's tests have it. */
const KIT = `
  import { connect } from "@tenon/cli/testing";
  const { requests, revisions } = JSON.parse(process.argv[2]);
  const outcomes = {};
  for (const revision of revisions) {
    const server = await connect(new URL("./src/everything.ts", import.meta.url), { revision, showErrors: false });
    outcomes[revision] = [];
    for (const [method, params] of requests)
      outcomes[revision].push(
        await server.client.request(method, params).then(
          (result) => ({ result }),
          ({ code, message, data }) => ({ error: { code, message, data } }),
        ),
      );
    await server.close();
  }
  process.stdout.write(JSON.stringify(outcomes));
`;

const call = (name: string, args: object = {}): [string, object] => ["tools/call", { name, arguments: args }];

const REQUESTS: [method: string, params: object][] = [
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["ping", {}],
  ["no/such/method", {}],
  ["tools/list", { cursor: "none" }],
  ["tools/call", {}],
  ["tools/call", { name: "nothing", arguments: [] }],
  call("nothing"),
  call("nothing", { more: 1 }),
  call("no_such_tool"),
  ...["none", "missing", "result", "list", "date", "nan"].map((kind) => call("anything", { kind })),
  call("wrapped"),
  ...[0, 1, 2].map((n) => call("maybe", { n })),
  call("cities"),
  call("point", { point: { x: 1 } }),
  call("point", { point: '{"x":"2"}', color: "blue" }),
  call("point", { point: { x: 1 }, color: "green" }),
  call("point", {}),
  call("leak"),
  call("wrong"),
  call("lists", { values: [1], more: ["a", "b"] }),
  call("lists", { values: "1" }),
  call("dates", { at: "2020-01-01", ids: [1, 1, 2] }),
  call("dates", { at: "soon", ids: [] }),
  call("bytes", { data: "AQI=" }),
  call("big", { n: "9007199254740993" }),
  call("text"),
  call("image"),
  call("whole", { isError: true }),
  call("whole", { isError: false }),
  ...["tool", "own", "error", "text", "not"].map((how) => call("fail", { how })),
  call("count"),
  call("count"),
  call("context"),
  ...["note://1", "note://2", "note://3", "note://4", "note://x", "data://all", "icon://x", "none://"].map(
    (uri): [string, object] => ["resources/read", { uri }],
  ),
  ["resources/read", {}],
  ["prompts/get", { name: "plan", arguments: { city: "Oslo" } }],
  ["prompts/get", { name: "plan", arguments: { city: "Oslo", days: "x" } }],
  ["prompts/get", { name: "plan" }],
  ["prompts/get", { name: "none" }],
];

let built: BuiltServer;
let kit: Record<string, unknown[]>;

beforeAll(async () => {
  built = await buildServer({ ...SOURCES, "kit.mjs": KIT });
  const script = join(built.root, "kit.mjs");
  const input = JSON.stringify({ requests: REQUESTS, revisions: REVISIONS });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", "@tenon/cli/register", script, input],
    { cwd: built.root, encoding: "utf8" },
  );
  expect(status, stderr).toBe(0);
  kit = JSON.parse(stdout) as Record<string, unknown[]>;
});
afterAll(() => built.remove());

/** Replaces references to the log, which differ from call to call. */
function withoutReferences(outcome: unknown): unknown {
  const text = JSON.stringify(outcome).replaceAll(/reference [\da-f]{8}/g, "reference …");
  return JSON.parse(text) as unknown;
}

describe.each(REVISIONS)("in %s, the test kit", (revision) => {
  test("responds to all requests as the built server does", async () => {
    const client = new WireClient(stdioWire(built.program), { revision });
    await client.open();
    const served: unknown[] = [];
    for (const [method, params] of REQUESTS) {
      const { result, error } = await client.request(method, params as Record<string, unknown>);
      served.push(result === undefined ? { error } : { result });
    }
    await client.close();
    const differences = REQUESTS.flatMap((request, index) => {
      const [inKit, onWire] = [kit[revision]?.[index], served[index]].map(withoutReferences);
      return JSON.stringify(inKit) === JSON.stringify(onWire) ? [] : [{ request, inKit, onWire }];
    });
    expect(differences).toEqual([]);
  });
});
