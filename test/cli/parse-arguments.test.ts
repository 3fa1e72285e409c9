import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: any arguments of a call, without a call for each.
import { readArgumentFiles } from "../../packages/cli/src/call/argument-files.js";
import { parseArguments, parsePromptArguments } from "../../packages/cli/src/call/parse-arguments.js";
import { Failure } from "../../packages/cli/src/terminal/failure.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

const schema = {
  type: "object" as const,
  properties: {
    name: { type: "string" as const },
    kind: { enum: ["1", "2"] },
    count: { type: "integer" as const },
    tags: { type: "array" as const, items: { type: "string" as const } },
    place: { type: "object" as const, properties: { zip: { type: "string" as const } } },
    "dotted.name": { type: "number" as const },
    note: { anyOf: [{ type: "string" as const }, { type: "null" as const }] },
    size: { type: ["string" as const, "integer" as const] },
    labels: {
      anyOf: [{ type: "array" as const, items: { type: "string" as const } }, { type: "null" as const }],
    },
    tree: { $ref: "#/$defs/Tree" },
    notes: {
      type: "object" as const,
      additionalProperties: { type: ["string" as const, "null" as const] },
    },
    owner: {
      anyOf: [
        { type: "object" as const, properties: { motto: { type: ["string" as const, "null" as const] } } },
        { type: "null" as const },
      ],
    },
    both: { allOf: [{ type: "string" as const }, { minLength: 1 }] },
    level: { const: "5" },
    step: { enum: [1, 2, "3", null] },
    bytes: { type: "string" as const, format: "byte", contentEncoding: "base64" },
    file: { type: "string" as const, contentEncoding: "base64", "x-mcp-file": {} },
    photo: {
      type: "object" as const,
      properties: { download_url: { type: "string" as const }, file_id: { type: "string" as const } },
      required: ["download_url", "file_id"],
    },
    files: { type: "array" as const, items: { type: "string" as const, "x-mcp-file": {} } },
  },
  $defs: {
    Tree: {
      type: "object" as const,
      properties: {
        label: { $ref: "#/$defs/Label" },
        kids: { type: "array" as const, items: { $ref: "#/$defs/Tree" } },
      },
    },
    Label: { anyOf: [{ type: "string" as const }, { type: "null" as const }] },
    Loop: { anyOf: [{ $ref: "#/$defs/Loop" }] },
  },
};
const parse = (words: string[]): unknown => parseArguments(words, schema);

describe("prompt arguments on the command line", () => {
  it("are text, whatever they look like", () => {
    const words = ["days=2.0", "city=a=b", "place.zip=1", '{"mood":"calm","n":1}'];
    expect(parsePromptArguments(words)).toEqual({
      days: "2.0",
      city: "a=b",
      "place.zip": "1",
      mood: "calm",
      n: "1",
    });
  });
});

describe("files on the command line", () => {
  let folder: ProjectFolder;
  beforeAll(() => {
    folder = projectFolder({
      "post.md": "\uFEFFHello.\n",
      "place.json": '{ "zip": "0150" }\n',
      "all.json": '{ "name": "Ada", "count": 1 }',
      "tags.json": '["a", "b"]',
      "list.json": "[1, 2]",
      "broken.json": '["a", ',
      "a=b": "equals",
    });
    writeFileSync(join(folder.root, "no-text"), Buffer.from([0xff, 0xfe, 0x00]));
  });
  afterAll(() => folder.remove());
  const input = Buffer.from('{ "name": "from a pipe" }');
  const read = async (words: string[]): Promise<unknown> => {
    const terminal = { cwd: folder.root, readInput: () => Promise.resolve(input) };
    const files = await readArgumentFiles(words, terminal);
    return parseArguments(words, schema, files);
  };

  it.each<{ typed: string[]; args: object }>([
    { typed: ["name=@post.md"], args: { name: "Hello.\n" } },
    { typed: ["name=@a=b"], args: { name: "equals" } },
    { typed: ["name=@place.json"], args: { name: '{ "zip": "0150" }\n' } },
    { typed: ["place=@place.json", "place.floor=2"], args: { place: { zip: "0150", floor: 2 } } },
    { typed: ["place.zip=@post.md"], args: { place: { zip: "Hello.\n" } } },
    { typed: ["tags=@tags.json"], args: { tags: ["a", "b"] } },
    { typed: ["tags=@post.md", "tags=@@ada", "tags=-"], args: { tags: ["Hello.\n", "@ada", "-"] } },
    { typed: ["other=@list.json"], args: { other: [1, 2] } },
    { typed: ["other=@post.md"], args: { other: "Hello.\n" } },
    { typed: ["bytes=@no-text"], args: { bytes: "//4A" } },
    {
      typed: ["file=@post.md"],
      args: { file: "data:text/markdown;name=post.md;base64,77u/SGVsbG8uCg==" },
    },
    {
      typed: ["files=@no-text", "files=@post.md"],
      args: {
        files: [
          "data:application/octet-stream;name=no-text;base64,//4A",
          "data:text/markdown;name=post.md;base64,77u/SGVsbG8uCg==",
        ],
      },
    },
    { typed: ["file=aGk="], args: { file: "aGk=" } },
    {
      typed: ["photo=@no-text"],
      args: {
        photo: {
          download_url: "data:application/octet-stream;name=no-text;base64,//4A",
          file_id: "no-text",
          file_name: "no-text",
        },
      },
    },
    { typed: ["@all.json", "name=Bob"], args: { name: "Bob", count: 1 } },
    { typed: ["@all.json", "-"], args: { name: "from a pipe", count: 1 } },
    { typed: ["name=@-", "@-"], args: { name: input.toString() } },
    { typed: ["name=@"], args: { name: "@" } },
    { typed: ["name=@@ada"], args: { name: "@ada" } },
    { typed: ["name=a@b"], args: { name: "a@b" } },
    { typed: ['{"name":"@ada"}'], args: { name: "@ada" } },
  ])("are read: $typed", async ({ typed, args }) => {
    expect(await read(typed)).toEqual(args);
  });

  it("are text for a prompt", async () => {
    const words = ["mood=@place.json", "city=@@ada"];
    const files = await readArgumentFiles(words, { cwd: folder.root });
    expect(parsePromptArguments(words, files)).toEqual({ mood: '{ "zip": "0150" }\n', city: "@ada" });
  });

  it.each([
    ["name=@ada"],
    ["@nowhere/all.json"],
    ["name=@."],
    ["name=@/dev/zero"],
    ["name=@no-text"],
    ["count=@post.md"],
    ["tags=@broken.json"],
    ["place=@post.md"],
    ["@tags.json"],
    ["@post.md"],
    ["@ada=lovelace"],
  ])("are rejected: %s", async (word) => {
    const failure = await read([word]).catch((error: unknown) => error as Failure);
    expect(failure).toMatchObject({ exitCode: 2 });
    const { message, hint } = failure as Failure;
    expect([message, hint].join("\n")).toMatchSnapshot();
  });
});

describe("arguments on the command line", () => {
  it.each([
    { typed: ["name=Ada"], args: { name: "Ada" } },
    { typed: ["count=3"], args: { count: 3 } },
    { typed: ["name=3"], args: { name: "3" } },
    { typed: ["name=true"], args: { name: "true" } },
    { typed: ["kind=1"], args: { kind: "1" } },
    { typed: ["other=true"], args: { other: true } },
    { typed: ["other=null"], args: { other: null } },
    { typed: ["other=not json"], args: { other: "not json" } },
    { typed: ["name="], args: { name: "" } },
    { typed: ['note={"a":1}'], args: { note: '{"a":1}' } },
    { typed: ["note=[1]"], args: { note: "[1]" } },
    { typed: ["note=5"], args: { note: "5" } },
    { typed: ["note=null"], args: { note: null } },
    { typed: ['note="null"'], args: { note: "null" } },
    { typed: ['note="hi"'], args: { note: '"hi"' } },
    { typed: ['note=""null""'], args: { note: '""null""' } },
    { typed: ["note=1e5"], args: { note: "1e5" } },
    { typed: ["size=5"], args: { size: 5 } },
    { typed: ['size="5"'], args: { size: "5" } },
    { typed: ['size="null"'], args: { size: '"null"' } },
    { typed: ["size=null"], args: { size: "null" } },
    { typed: ["labels=5", "labels=6"], args: { labels: ["5", "6"] } },
    { typed: ["labels=5"], args: { labels: ["5"] } },
    { typed: ["labels=null"], args: { labels: null } },
    { typed: ["tree.label=5"], args: { tree: { label: "5" } } },
    { typed: ["tree.label=null"], args: { tree: { label: null } } },
    { typed: ["notes.a=[1]"], args: { notes: { a: "[1]" } } },
    { typed: ["owner.motto={}"], args: { owner: { motto: "{}" } } },
    { typed: ["both=5"], args: { both: "5" } },
    { typed: ["level=5"], args: { level: "5" } },
    { typed: ["step=2"], args: { step: 2 } },
    { typed: ["step=3"], args: { step: "3" } },
    { typed: ['step="3"'], args: { step: "3" } },
    { typed: ["step=null"], args: { step: null } },
    { typed: ["size=true"], args: { size: "true" } },
    { typed: ["count=true"], args: { count: true } },
    { typed: ["name=a=b"], args: { name: "a=b" } },
    { typed: ['tags=["a","b"]'], args: { tags: ["a", "b"] } },
    { typed: ["tags=a"], args: { tags: ["a"] } },
    { typed: ["tags=1", "tags=2"], args: { tags: ["1", "2"] } },
    { typed: ["other=1", "other=2"], args: { other: [1, 2] } },
    { typed: ["place.zip=0150", "place.floor=2"], args: { place: { zip: "0150", floor: 2 } } },
    { typed: ["dotted.name=1"], args: { "dotted.name": 1 } },
    { typed: ['place={"zip":"0150"}'], args: { place: { zip: "0150" } } },
  ])("are parsed: $typed", ({ typed, args }) => {
    expect(parse(typed)).toEqual(args);
  });

  it("are parsed as the type of their position in a tuple", () => {
    const prefixItems = [{ type: "string" as const }, { type: "number" as const }];
    const pair = { type: "array" as const, prefixItems, items: { type: "boolean" as const } };
    const words = ["pair=12345678901234567890", "pair=2", "pair=true"];
    expect(parseArguments(words, { type: "object", properties: { pair } })).toEqual({
      pair: ["12345678901234567890", 2, true],
    });
  });

  it("are parsed if the schema refers to itself", () => {
    expect(parseArguments(["a=5"], { ...schema, properties: { a: { $ref: "#/$defs/Loop" } } })).toEqual({
      a: 5,
    });
  });

  it("extend the JSON object with their pairs", () => {
    expect(parse(["place.floor=2", '{"name":"Ada","place":{"zip":"1"}}'])).toEqual({
      name: "Ada",
      place: { zip: "1", floor: 2 },
    });
  });

  it("treat prototype keys as data", () => {
    const args = parse(["__proto__.polluted=1"]) as object;
    expect(Object.keys(args)).toEqual(["__proto__"]);
    expect("polluted" in {}).toBe(false);
  });

  it.each([
    { typed: ["name"], message: "`name` is neither key=value nor a JSON object." },
    { typed: ["=x"], message: "`=x` is neither key=value nor a JSON object." },
    { typed: ["{"], message: /^The arguments are not valid JSON: / },
    { typed: ["[1]"], message: "`[1]` is neither key=value nor a JSON object." },
    {
      typed: ["place.floor=2", 'place={"zip":"1"}'],
      message: "`place` would replace the value of `place.floor`.",
    },
    { typed: ["place=5", "place.floor=2"], message: "`place.floor` would replace the value of `place`." },
  ])("are a usage error: $typed", ({ typed, message }) => {
    const act = (): unknown => parse(typed);
    expect(act).toThrow(message);
    expect(act).toThrow(expect.objectContaining({ exitCode: 2 }) as Failure);
  });
});
