import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

const SOURCE = `
import { Resource, Tool } from "@tenon/runtime";

/** @default 7 */
type Size = number;

export class Odd {
  /** A name that object literals treat differently. */
  @Tool({ name: "__proto__" }) proto(text: string): string { return text; }
  /** A name that objects inherit. */
  @Tool({ name: "constructor" }) inherited(text: string): string { return text; }
  /** A tuple. */
  @Tool() box(box: [name: string, width?: Size, since?: Date, height?: Size]): string { return JSON.stringify(box); }
  /** A folder. */
  @Resource("folder://root{/parts*}") folder(parts: string[]): string { return parts.join(" > "); }
  /** Items with tags. */
  @Resource("items://all{?tags*}") items(tags: string[]): string { return JSON.stringify(tags); }
  /** Items, some of them. */
  @Resource("some://all{?tags*}") some(tags: string[] = ["new"]): string { return JSON.stringify(tags); }
}
`;

let built: BuiltServer;
let client: TestClient;

beforeAll(async () => {
  built = await buildServer({ "src/odd.ts": SOURCE });
  client = await connect(await built.load("odd"));
});

afterAll(() => built.remove());

const call = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
  (await client.callTool(name, args)).content;

test.each(["__proto__", "constructor"])("a tool may have the name %s", async (name) => {
  expect(await call(name, { text: "A" })).toEqual([{ type: "text", text: "A" }]);
  expect(await call(name, {})).toEqual([
    { type: "text", text: `Invalid arguments for tool "${name}": missing argument \`text\` (a string).` },
  ]);
});

test("a tuple gets the defaults of elements that are missing at its end", async () => {
  expect(await call("box", { box: ["A"] })).toEqual([{ type: "text", text: '["A",7]' }]);
  expect(await call("box", { box: ["A", 1] })).toEqual([{ type: "text", text: '["A",1]' }]);
  expect(await call("box", { box: ["A", 1, "2030-01-01"] })).toEqual([
    { type: "text", text: '["A",1,"2030-01-01T00:00:00.000Z",7]' },
  ]);
});

test.each([
  ["folder://root", ""],
  ["folder://root/a/b", "a > b"],
  ["items://all", "[]"],
  ["items://all?tags=a&tags=b", '["a","b"]'],
  ["some://all", '["new"]'],
])("a list that a URI does not contain is empty, or has its default: %s", async (uri, text) => {
  expect((await client.readResource(uri)).contents).toEqual([{ uri, text }]);
});
