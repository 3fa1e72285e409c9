/**
 * Secrets never reach a recording, wherever a type has the tag `@secret` and however a client misuses it.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// Internal: a recorder receives what passes `tenon dev`, which takes seconds to start.
import { createRecorder } from "../../packages/cli/src/recording/recorder.js";
import { createScratchProject, type ScratchProject } from "../support/scratch-project.js";

const SECRET = "hunter2-swordfish";

/** The types of one argument, and values for it that contain the secret. */
const SHAPES: Record<string, [type: string, value: unknown]> = {
  "a tagged alias": ["Phrase", SECRET],
  "a list of aliases": ["Phrase[]", ["x", SECRET]],
  "a record of aliases": ["Record<string, Phrase>", { any: SECRET }],
  "a tuple": ["[string, Phrase]", ["x", SECRET]],
  "a set": ["Set<Phrase>", [SECRET]],
  "a map": ["Map<string, Phrase>", { any: SECRET }],
  "an object": ["Holder", { word: SECRET }],
  "a list of objects": ["Holder[]", [{ word: SECRET }]],
  "a record of objects": ["Record<string, Holder>", { any: { word: SECRET } }],
  "a map of objects": ["Map<string, Holder>", { any: { word: SECRET } }],
  "an object with two members of a type": ["Pair", { a: { word: SECRET }, b: { word: SECRET } }],
  "an intersection": ["Holder & { other?: string }", { word: SECRET }],
  "a type without a member": ['Omit<Holder, "note">', { word: SECRET }],
  "a read-only type": ["Readonly<Holder>", { word: SECRET }],
  "a nullable alias": ["Phrase | null", SECRET],
  "a misspelled member": ["Holder", { wrod: SECRET }],
  "a member at another depth": ["Holder", { word: { deeper: SECRET } }],
  "a key of a secret record": ["Keys", { [SECRET]: true, other: "x" }],
  "a key in a list of secret records": ["Keys[]", [{ [SECRET]: true, other: "x" }]],
  "a member of a secret record with the name of a schema": ["Keys", { inputSchema: SECRET }],
  "a misspelled member of a secret object": ["Whole", { user: "x", [SECRET]: true }],
  "a string instead of an object": ["Holder", SECRET],
  "a list instead of an object": ["Holder", [SECRET]],
};

const SOURCE = `import { Prompt, Resource, Tool } from "@tenon/runtime";
/** @secret */
export type Phrase = string;
export interface Holder {
  /** @secret */
  word: string;
  note?: string;
}
/** @secret */
export type Keys = Record<string, string | boolean>;
/** @secret */
export type Whole = { user: string };
export interface Pair { a: Holder; b: Holder; }
export class Vault {
${Object.values(SHAPES)
  .map(
    ([type], index) =>
      `  /** Opens. */\n  @Tool() open${index}(key: ${type}): string { return "opened" + key; }`,
  )
  .join("\n")}
  /** Opens. */
  @Tool() enter(/** @secret */ pin: number, door: string): string { return door + pin; }
  /** Stores a file. */
  @Tool() store(/** @secret */ papers: File): string { return papers.name; }
  /** Stores bytes. */
  @Tool() keep(/** @secret */ raw: Uint8Array, /** @header Region */ region: string): string { return region + raw.length; }
  /** Greets. */
  @Prompt() greet(/** @secret */ word: string, name: string): string { return word + name; }
  /** Reads. */
  @Resource("vault://{word}/{name}") entry(/** @secret */ word: string, name: string): string { return word + name; }
  /** Reads. */
  @Resource("open://{name}") plain(name: string): string { return name; }
}
`;

let project: ScratchProject;
let folder: string;
let record: (
  ...messages: [from: "client" | "server", message: object, headers?: Record<string, string>][]
) => string;

beforeAll(() => {
  project = createScratchProject("vault");
  folder = mkdtempSync(join(tmpdir(), "tenon-recordings-"));
  const { manifest, diagnostics } = project.compile({ "src/vault.ts": SOURCE });
  if (!manifest) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  record = (...messages) => {
    let file = "";
    const onError = (error: unknown): void => {
      throw error;
    };
    const onFile = (path: string): void => void (file = path);
    const recorder = createRecorder({ folder, project: "p", transport: "stdio", env: {}, onFile, onError });
    recorder.addManifest(manifest);
    for (const [from, message, headers] of messages)
      recorder.traffic({ from, session: "a", message, at: performance.now(), ...(headers && { headers }) });
    recorder.close();
    const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
    return lines.join("\n");
  };
});

afterAll(() => {
  project.remove();
  rmSync(folder, { recursive: true, force: true });
});

const call = (name: string, args: unknown): object => ({
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("in the arguments of a tool, a secret", () => {
  it.each(Object.entries(SHAPES).map(([name, [, value]], index) => [name, index, value] as const))(
    "is hidden as %s",
    (_, index, value) => {
      const text = record(["client", call(`open${index}`, { key: value })]);
      expect(text).not.toContain(SECRET);
      expect(text).toContain("(secret 1)");
    },
  );

  it.each([
    ["under a misspelled name", "enter", { pni: SECRET, door: "front" }],
    ["for a tool with a misspelled name", "entre", { pin: SECRET }],
    ["in place of all arguments", "enter", SECRET],
  ])("is hidden %s", (_, name, args) => {
    expect(record(["client", call(name, args)])).not.toContain(SECRET);
  });

  it.each(Object.entries(SHAPES).map(([name, [, value]], index) => [name, index, value] as const))(
    "is hidden where a response repeats it, sent as JSON in a string, as %s",
    (_, index, value) => {
      const response = { id: 1, result: { content: [{ type: "text", text: `No entry: ${SECRET}` }] } };
      const key = typeof value === "string" ? value : JSON.stringify(value);
      for (const args of [{ key }, JSON.stringify({ key: value })])
        expect(record(["client", call(`open${index}`, args)], ["server", response])).not.toContain(SECRET);
    },
  );

  it.each([
    ["HTTPS://VAULT.example.com/hunter2?door=1", "https://vault.example.com/hunter2?door=1"],
    ["2031-07-07T07:07:07+02:00", "2031-07-07T05:07:07.000Z"],
    ["8.8812e5", "888120"],
  ])("is hidden where a response has it as the server converts it: %s", (sent, converted) => {
    const response = { id: 1, result: { content: [{ type: "text", text: `No entry: ${converted}` }] } };
    for (const args of [{ pin: sent, door: "front" }, JSON.stringify({ pin: sent, door: "front" })]) {
      const text = record(["client", call("enter", args)], ["server", response]);
      expect(text).not.toContain(converted);
      expect(text).not.toContain(sent);
    }
  });

  it("is hidden where a response repeats the key of a record", () => {
    const text = record(
      [
        "client",
        call(`open${Object.keys(SHAPES).indexOf("a key of a secret record")}`, { key: { [SECRET]: "x" } }),
      ],
      ["server", { id: 1, result: { content: [{ type: "text", text: `No such key: ${SECRET}` }] } }],
    );
    expect(text).not.toContain(SECRET);
  });

  it("is hidden where a response has it as the name of a member", () => {
    const named = { doors: { [SECRET]: 1, [`door ${SECRET}`]: 2 } };
    const content = [{ type: "text", text: JSON.stringify(named) }];
    const text = record(
      ["client", call("enter", { pin: SECRET, door: "front" })],
      ["server", { id: 1, result: { content, structuredContent: named } }],
    );
    expect(text).not.toContain(SECRET);
    expect(text).toContain('"structuredContent":{"doors":{"(secret 1)":1,"door (secret 1)":2}}');
  });

  it.each([
    ["base64", (text: string) => Buffer.from(text).toString("base64")],
    ["base64 without padding", (text: string) => Buffer.from(text).toString("base64").replace(/=+$/, "")],
    ["a data URI", (text: string) => `data:text/plain;base64,${Buffer.from(text).toString("base64")}`],
    [
      "a data URI with a name",
      (text: string) => `data:text/plain;name=a.txt;base64,${Buffer.from(text).toString("base64")}`,
    ],
    ["a data URI without base64", (text: string) => `data:text/plain,${encodeURIComponent(text)}`],
  ])("is hidden where a response repeats the content of a file in %s", (_, encode) => {
    for (const name of ["store", "keep"]) {
      const args = { [name === "store" ? "papers" : "raw"]: encode(`${SECRET}\nsecond line`), region: "eu" };
      const text = record(
        ["client", call(name, args)],
        [
          "server",
          { id: 1, result: { structuredContent: { one: `${SECRET}\nsecond line`, two: `got ${SECRET}` } } },
        ],
      );
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain("second line");
    }
  });

  it("is hidden in a header that repeats an argument in another encoding, or contradicts it", () => {
    const encoded = `=?base64?${Buffer.from(SECRET).toString("base64")}?=`;
    const text = record(
      ["client", call("enter", { pin: 1, door: "a" }), { "mcp-param-pin": encoded }],
      ["client", call("enter", { pin: 1, door: "a" }), { "mcp-param-other": SECRET }],
    );
    expect(text).not.toContain(encoded);
    expect(text).not.toContain(SECRET);
  });

  it("is hidden if it is the URL of a webhook", () => {
    for (const url of [
      "https://hooks.slack.com/services/T0/B0/abcdefghijklmnopqrstuvwx",
      "https://discord.com/api/webhooks/123/abcdefghijklmnop",
    ])
      expect(record(["client", call("enter", { pin: 1, door: url })])).not.toContain(url);
  });

  it("leaves the declared names of a secret object as they are", () => {
    const index = Object.keys(SHAPES).indexOf("a misspelled member of a secret object");
    expect(record(["client", call(`open${index}`, { key: { user: "ada" } })])).toContain(
      '"arguments":{"key":{"user":"(secret 1)"}}',
    );
  });

  it("leaves the other arguments as they are", () => {
    expect(record(["client", call("enter", { pin: 1234, door: "front" })])).toContain(
      '"arguments":{"pin":"(secret 1)","door":"front"}',
    );
  });
});

describe("in other messages, a secret", () => {
  it.each([
    [
      "in a prompt's arguments",
      { method: "prompts/get", params: { name: "greet", arguments: { word: SECRET } } },
    ],
    ["in a URI", { method: "resources/read", params: { uri: `vault://${SECRET}/a` } }],
    ["in a misspelled URI", { method: "resources/read", params: { uri: `vualt://${SECRET}/a` } }],
    ["in a subscription", { method: "resources/subscribe", params: { uri: `vault://${SECRET}/a` } }],
    [
      "in a list of subscriptions",
      {
        method: "subscriptions/listen",
        params: { notifications: { resourceSubscriptions: ["open://a", `vault://${SECRET}/a`] } },
      },
    ],
    [
      "in the argument of a completion",
      {
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name: "greet" }, argument: { name: "word", value: SECRET } },
      },
    ],
    [
      "in the context of a completion",
      {
        method: "completion/complete",
        params: {
          ref: { type: "ref/resource", uri: "vault://{word}/{name}" },
          argument: { name: "name", value: "a" },
          context: { arguments: { word: SECRET } },
        },
      },
    ],
    [
      "in the reference of a completion",
      {
        method: "completion/complete",
        params: {
          ref: { type: "ref/resource", uri: `vault://${SECRET}/{name}` },
          argument: { name: "name", value: "a" },
        },
      },
    ],
  ])("is hidden %s", (_, message) => {
    expect(record(["client", { id: 1, ...message }])).not.toContain(SECRET);
  });

  it("is hidden in the headers and the response of a request whose URI contains it", () => {
    const uri = "vault://sword%20fish/a";
    const text = record(
      ["client", { id: 1, method: "resources/read", params: { uri } }, { "mcp-name": uri }],
      ["server", { id: 1, result: { contents: [{ uri, text: "It is sword fish, or sword%20fish." }] } }],
    );
    expect(text).not.toMatch(/sword|fish/);
  });

  it("is hidden in the message of an error, which may contain a shortened URI", () => {
    const uri = `vault://${SECRET.repeat(30)}/a`;
    const message = `No resource "${uri.slice(0, 255)}…".`;
    const text = record(
      ["client", { id: 1, method: "resources/read", params: { uri } }],
      ["server", { id: 1, method: "ping" }],
      ["server", { id: 1, error: { code: -32_002, message, data: { uri } } }],
      ["server", { id: 1, error: { code: -32_002, message: "Another error." } }],
    );
    expect(text).not.toContain(SECRET);
    expect(text).toContain("Another error.");
  });

  it("is hidden, if it has four digits, where a response repeats it as a word or a number, but not within other numbers", () => {
    const text = record(
      ["client", call("enter", { pin: 1234, door: "front" })],
      ["server", { id: 1, result: { content: [{ type: "text", text: "PIN 1234, not 12345" }] } }],
      ["server", { id: 2, result: { structuredContent: { used: 1234, other: 12_345 } } }],
    );
    expect(text).toContain("PIN (secret 1), not 12345");
    expect(text).toContain('{"used":"(secret 1)","other":12345}');
  });

  it("is not assumed in URIs that have none", () => {
    const message = { id: 1, method: "resources/read", params: { uri: "open://a" } };
    expect(record(["client", message])).toContain('"uri":"open://a"');
  });
});
