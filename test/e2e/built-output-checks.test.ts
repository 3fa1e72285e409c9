import type { OutputValidation } from "@tenon/runtime";
import { connect, RpcError, type TestClient } from "@tenon/runtime/testing";
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

/** Handlers whose values violate their types: the client chooses the value that they return. */
const SOURCE = `
import { Prompt, Resource, Tool, ToolError, type Content, type PromptResult, type ResourceResult, type ToolResult } from "@tenon/runtime";

interface Report { total: number; since?: Date; notes?: Record<string, number>; /** @default "no" */ late?: string }
class Sum { total: number | null = NaN; get half() { return this.total === null ? null : this.total / 2; } }

export class Liars {
  /** Data. */
  @Tool() report(json: string): Report { return JSON.parse(json) as Report; }
  /** Half of a number. */
  @Tool() half(of: "nothing" | "something"): Report { return { total: of === "nothing" ? NaN : 1 }; }
  /** A value that JSON omits. */
  @Tool() gaps(): Report { return { total: 1, notes: { a: 1, b: undefined as never } }; }
  /** No number in a list. */
  @Tool() list(): (number | undefined)[] { return [1, NaN, undefined]; }
  /** No number that may be null. */
  @Tool() maybe(): { total: number | null } { return { total: Infinity }; }
  /** No number in an instance. */
  @Tool() instance(): Sum { return new Sum(); }
  /** No number in a set. */
  @Tool() distinct(): Set<number | null> { return new Set([NaN]); }
  /** No number next to a method. */
  @Tool() method(): { total: number | null } { return { total: NaN, add() {} } as { total: number | null }; }
  /** Any number. */
  @Tool() number(): { total: unknown; add?: number } { return { total: NaN, add: undefined }; }
  /** A member that is not enumerable. */
  @Tool() hidden(): { reports: Report[] } {
    return { reports: [Object.defineProperty({} as Report, "total", { value: 3 })] };
  }
  /** The same next to a date. */
  @Tool() hiddenDate(): Report { return Object.defineProperty({ total: 1 }, "since", { value: new Date(0) }); }
  /** A symbol. */
  @Tool() symbol(): Report { return { total: Symbol("t") as never }; }
  /** A thrown object. */
  @Tool() thrown(): string { throw { message: "No seats are left.", code: 7 }; }
  /** A failure without a message. */
  @Tool() silent(): string { throw new ToolError(""); }
  /** An invalid date. */
  @Tool() since(): Report { return { total: 1, since: new Date(NaN) }; }
  /** Data next to content. */
  @Tool() result(json: string): ToolResult<{ total: number }> { return JSON.parse(json) as ToolResult<{ total: number }>; }
  /** Content. */
  @Tool() blocks(json: string): Content[] { return JSON.parse(json) as Content[]; }
  /** Metadata. */
  @Tool() metadata(kind: "map" | "set" | "number" | "date"): ToolResult {
    const value = { map: { of: [new Map()] }, set: new Set([1]), number: NaN, date: new Date(0) }[kind];
    return { content: [], _meta: { value } };
  }
  /** A block with metadata. */
  @Tool() marked(): Content { return { type: "text", text: "A", _meta: { value: new Map([["a", 1]]) } }; }
  /** Anything. */
  @Tool() anything(json: string): any { return JSON.parse(json); }
  /** Messages. */
  @Prompt() letter(json: string): PromptResult { return JSON.parse(json) as PromptResult; }
  /** Contents. */
  @Resource("liar://{+json}") contents(json: string): ResourceResult { return JSON.parse(json) as ResourceResult; }
  /** Bytes of which nothing is said. */
  @Resource("liar://bytes") bytes(): Uint8Array { return new Uint8Array(3); }
}
`;

const CONFIG = `
import { defineServer, type OutputValidation } from "@tenon/runtime";
export default defineServer({ outputValidation: process.env.TEST_OUTPUT_CHECKS as OutputValidation });
`;

let built: BuiltServer;
let stderr: MockInstance<typeof process.stderr.write>;

async function open(checks: OutputValidation): Promise<TestClient> {
  vi.stubEnv("TEST_OUTPUT_CHECKS", checks);
  return connect(await built.load(checks), { showErrors: false });
}

beforeAll(async () => {
  built = await buildServer({ "src/liars.ts": SOURCE, "src/server.ts": CONFIG });
});
afterAll(() => built.remove());
beforeEach(() => {
  stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  stderr.mockRestore();
});

const readLog = (): string => stderr.mock.calls.map(([text]) => String(text)).join("");
const text = { type: "text", text: "A" };
const image = { type: "image", data: "AAAA", mimeType: "image/png" };
const link = { type: "resource_link", uri: "liar://a", name: "a" };
const embed = (resource: object): object => ({ type: "resource", resource });

/** Invalid data, and the reported problem. */
const WRONG_DATA: [tool: string, args: object, reason: string][] = [
  ["report", { json: '{"total":"many"}' }, '`total` must be a number (got "many")'],
  ["report", { json: "{}" }, "missing member `total`"],
  ["report", { json: '{"total":1,"notes":{"a":"b"}}' }, '`notes.a` must be a number (got "b")'],
  ["report", { json: "null" }, "must be an object"],
  ["half", { of: "nothing" }, "`total` must be a number (got NaN)"],
  ["list", {}, "`[1]` must be a number or null (got NaN)"],
  ["maybe", {}, "`total` must be a number or null (got Infinity)"],
  ["instance", {}, "`total` must be a number or null (got NaN)"],
  ["distinct", {}, "`[0]` must be a number or null (got NaN)"],
  ["method", {}, "`total` must be a number or null (got NaN)"],
  ["number", {}, "`total` is NaN"],
  ["since", {}, "`since` is an invalid Date"],
  ["result", { json: '{"content":[]}' }, "returned no `structuredContent`"],
  [
    "result",
    { json: '{"content":[],"structuredContent":{"total":null}}' },
    "`total` must be a number (got null)",
  ],
  // Clients read data if there is any.
  ["result", { json: '{"content":[],"structuredContent":{},"isError":true}' }, "missing member `total`"],
  ["result", { json: '{"content":"A","structuredContent":{"total":1}}' }, "`content[0].type` must be one of"],
  [
    "result",
    { json: '{"content":[],"isError":"yes","structuredContent":{"total":1}}' },
    '`isError` must be true or false (got "yes")',
  ],
  [
    "result",
    { json: '{"content":[],"_meta":5,"structuredContent":{"total":1}}' },
    "`_meta` must be an object (got 5)",
  ],
  ["metadata", { kind: "map" }, "`_meta` must contain only JSON values, but `value.of[0]` is a Map or a Set"],
  ["metadata", { kind: "set" }, "`_meta` must contain only JSON values, but `value` is a Map or a Set"],
  ["metadata", { kind: "number" }, "`_meta` must contain only JSON values, but `value` is NaN"],
  ["marked", {}, "`content[0]._meta` must contain only JSON values, but `value` is a Map or a Set"],
  ["symbol", {}, "`total` must be a number (got a symbol)"],
];

const WRONG_BLOCKS: [block: unknown, reason: string][] = [
  [{ type: "video", data: "AAAA" }, '`content[0].type` must be one of "text", "image"'],
  [{ text: "A" }, "`content[0].type` must be one of"],
  [5, "`content[0]` must be a content block (got 5)"],
  [{ type: "text", text: 5 }, "`content[0].text` must be a string (got 5)"],
  [{ type: "text" }, "`content[0].text` must be a string (got nothing)"],
  [{ ...image, data: "not base64!" }, '`content[0].data` must be base64 (got "not base64!")'],
  [{ ...image, data: "data:image/png;base64,AAAA" }, "`content[0].data` must be base64"],
  [
    { ...image, mimeType: "png" },
    '`content[0].mimeType` must be a MIME type, such as "image/png" (got "png")',
  ],
  [{ type: "audio", data: "AAAA" }, "`content[0].mimeType` must be a MIME type"],
  [{ ...link, uri: "not a uri" }, '`content[0].uri` must be a URI (got "not a uri")'],
  [{ type: "resource_link", uri: "liar://a" }, "`content[0].name` must be a string"],
  [
    embed({ uri: "liar://a", blob: "AAAA", mimeType: "png" }),
    "`content[0].resource.mimeType` must be a MIME type",
  ],
  [embed({ uri: "liar://a", blob: "?", mimeType: "image/png" }), "`content[0].resource.blob` must be base64"],
  [embed({ uri: "liar://a" }), "`content[0].resource.text` must be a string"],
  [{ ...text, annotations: { audience: ["robot"] } }, "`content[0].annotations.audience[0]` must be"],
  [
    { ...text, annotations: { priority: 2 } },
    "`content[0].annotations.priority` must be a number from 0 to 1",
  ],
  [
    { ...text, annotations: { lastModified: "today" } },
    "`content[0].annotations.lastModified` must be a date",
  ],
  [{ ...text, _meta: "A" }, "`content[0]._meta` must be an object"],
  [
    embed({ uri: "liar://a", text: "A", blob: "AAAA" }),
    "`content[0].resource` must have either `text` or `blob`, not both",
  ],
];

describe("by default", () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await open("enforce");
  });

  async function expectToolRejected(tool: string, args: object, reason: string): Promise<void> {
    const result = await client.callTool(tool, args as Record<string, unknown>);
    const [explanation] = result.content as { text: string }[];
    const reference = /because of an internal error \(reference ([0-9a-f]{8})\)\.$/.exec(
      explanation?.text ?? "",
    )?.[1];
    expect(result).toMatchObject({ isError: true });
    expect(result.structuredContent).toBeUndefined();
    expect(readLog()).toContain(`[${reference}] The tool "${tool}" failed.`);
    expect(readLog()).toContain(reason);
    expect(readLog()).not.toContain("    at ");
  }

  it.each(WRONG_DATA.filter(([tool]) => tool !== "since"))("%s %j is rejected: %s", expectToolRejected);

  it.each(WRONG_BLOCKS)("the block %j is rejected: %s", async (block, reason) => {
    await expectToolRejected("blocks", { json: JSON.stringify([block]) }, reason);
  });

  it("an invalid date is rejected", async () => {
    expect(await client.callTool("since")).toMatchObject({ isError: true });
    expect(readLog()).toContain("`since` is an invalid Date");
  });

  it.each([
    ["result", { json: '{"content":[],"structuredContent":{"total":1}}' }, '{"total":1}'],
    ["result", { json: '{"structuredContent":{"total":1}}' }, '{"total":1}'],
    ["silent", {}, "The tool failed without a message."],
  ])("a result without content gets a text block: %s %j", async (tool, args, expected) => {
    expect((await client.callTool(tool, args)).content).toEqual([{ type: "text", text: expected }]);
  });

  it("valid results are sent, even if JSON omits some of their members", async () => {
    const data = async (tool: string, args = {}): Promise<unknown> =>
      (await client.callTool(tool, args)).structuredContent;
    expect(await data("half", { of: "something" })).toEqual({ total: 1 });
    const { _meta: meta } = await client.callTool("metadata", { kind: "date" });
    expect(meta).toMatchObject({ value: "1970-01-01T00:00:00.000Z" });
    expect(await data("gaps")).toEqual({ total: 1, notes: { a: 1 } });
    expect(await data("hidden")).toEqual({ reports: [{ total: 3 }] });
    expect(await data("hiddenDate")).toEqual({ total: 1, since: "1970-01-01T00:00:00.000Z" });
    expect(await data("report", { json: '{"total":1,"more":2}' })).toMatchObject({ total: 1 });
    const json = JSON.stringify([
      text,
      image,
      { ...image, type: "audio", mimeType: 'audio/ogg; codecs="opus"' },
      { ...link, mimeType: "text/plain; charset=utf-8" },
      embed({ uri: "urn:isbn:0451450523", text: "A" }),
      embed({ uri: "liar://ä", blob: "", mimeType: "application/vnd.example+json" }),
      { ...text, annotations: { audience: ["user", "assistant"], priority: 0.5 }, _meta: {} },
      "A",
    ]);
    expect((await client.callTool("blocks", { json })).content).toHaveLength(8);
    expect(readLog()).toBe("");
  });

  it.each([
    [{ role: "system", content: text }, '`messages[0].role` must be "user" or "assistant" (got "system")'],
    [{ role: "user", content: { type: "image", data: "AAAA" } }, "`messages[0].content.mimeType` must be"],
    [{ role: "user", content: { type: "video" } }, "`messages[0].content.type` must be one of"],
  ])("the message %j is rejected: %s", async (message, reason) => {
    const json = JSON.stringify({ messages: [message] });
    const error: unknown = await client.getPrompt("letter", { json }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("reference") as string });
    expect(readLog()).toContain(reason);
  });

  it.each([
    [{ uri: "not a uri", text: "A" }, "`contents[0].uri` must be a URI"],
    [{ uri: "liar://a", blob: "?" }, "`contents[0].blob` must be base64"],
    [{ uri: "liar://a" }, "`contents[0].text` must be a string"],
    [{ uri: "liar://a", text: "A", mimeType: "plain" }, "`contents[0].mimeType` must be a MIME type"],
  ])("the contents %j are rejected: %s", async (contents, reason) => {
    const uri = `liar://${encodeURIComponent(JSON.stringify({ contents: [contents] }))}`;
    const error: unknown = await client.readResource(uri).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining("reference") as string });
    expect(readLog()).toContain(reason);
  });

  it.each([
    { type: "image", data: { width: 1 } },
    { type: "text", text: 5 },
    { type: "resource_link", uri: "liar://a" },
    [{ type: "image", data: "AAAA" }],
    { content: [{ type: "row", text: "A" }] },
  ])("%j of any type is data", async (value) => {
    const result = await client.callTool("anything", { json: JSON.stringify(value) });
    expect(result.structuredContent).toEqual(value);
  });

  it.each([{ ...image, data: "?" }, [text, { ...image, data: "?" }], { content: [{ type: "text" }] }])(
    "%j of any type is content, and rejected",
    async (value) => {
      expect(await client.callTool("anything", { json: JSON.stringify(value) })).toMatchObject({
        isError: true,
      });
      expect(readLog()).toContain("The result is not valid: `content[");
    },
  );

  it("bytes have a MIME type", async () => {
    const [contents] = (await client.readResource("liar://bytes")).contents;
    expect(contents).toEqual({ uri: "liar://bytes", blob: "AAAA", mimeType: "application/octet-stream" });
  });
});

it("with `log`, an invalid result is sent and logged", async () => {
  const client = await open("log");
  const result = await client.callTool("report", { json: '{"total":"many"}' });
  expect(result).toMatchObject({ structuredContent: { total: "many" } });
  expect(readLog()).toMatch(/^\[[0-9a-f]{8}\] The output check of tool "report" failed\.$/m);
  expect(readLog()).toContain('`total` must be a number (got "many")');
  const json = JSON.stringify([{ ...image, mimeType: "png" }]);
  expect((await client.callTool("blocks", { json })).content).toEqual([{ ...image, mimeType: "png" }]);
});

it("with `off`, nothing is validated", async () => {
  const client = await open("off");
  expect(await client.callTool("report", { json: '{"total":"many"}' })).toMatchObject({
    structuredContent: { total: "many" },
  });
  expect(readLog()).toBe("");
});

it("any other setting is rejected", async () => {
  await expect(open("warn" as OutputValidation)).rejects.toThrow(
    'outputValidation must be "enforce", "log", or "off"',
  );
});

it("in development, the client receives the members of a thrown object", async () => {
  const author = await connect(await built.load("development"), { showErrors: true });
  const { content } = await author.callTool("thrown");
  expect(content).toEqual([{ type: "text", text: '{ message: "No seats are left.", code: 7 }' }]);
  author.close();
});
