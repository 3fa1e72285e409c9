/**
 * Secret arguments of every type, as a client sends them right and wrong: no log, span, or response repeats one.
 */
import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildObservedServer, type ObservedServer } from "../support/observed-server.js";

/** Types of an argument, and what a secret looks like in each. */
const TYPES: Readonly<Record<string, [type: string, toValue: (secret: string) => unknown]>> = {
  alias: ["Phrase", (secret) => secret],
  nullable: ["Phrase | null", (secret) => secret],
  number: ["Pin", (secret) => secret],
  date: ["Moment", (secret) => secret],
  list: ["Phrase[]", (secret) => ["x", secret]],
  record: ["Record<string, Phrase>", (secret) => ({ a: secret })],
  tuple: ["[string, Phrase]", (secret) => ["x", secret]],
  optional: ["[string, Phrase, number?]", (secret) => ["x", secret]],
  rest: ["[number, ...Phrase[]]", (secret) => [1, secret]],
  set: ["Set<Phrase>", (secret) => [secret]],
  map: ["Map<string, Phrase>", (secret) => ({ a: secret })],
  object: ["Holder", (secret) => ({ word: secret })],
  objects: ["Holder[]", (secret) => [{ word: secret }]],
  pair: ["{ a: Holder; b: Holder }", (secret) => ({ a: { word: secret }, b: { word: secret } })],
  intersection: ["Holder & { other?: string }", (secret) => ({ word: secret })],
  mapped: ['Omit<Partial<Readonly<Holder>>, "note">', (secret) => ({ word: secret })],
  union: [
    '{ kind: "a"; holder: Holder } | { kind: "b"; word: Phrase }',
    (secret) => ({ kind: "a", holder: { word: secret } }),
  ],
  mixed: ["Phrase | string[]", (secret) => secret],
  nested: ["{ a: { b: { c: Holder } } }", (secret) => ({ a: { b: { c: { word: secret } } } })],
  recursive: ["Tree", (secret) => ({ children: [{ word: secret }] })],
};

/** Mistakes of clients. */
const MISTAKES: Readonly<Record<string, (value: unknown) => Record<string, unknown>>> = {
  "no mistake": (value) => ({ key: value }),
  "another name": (value) => ({ kye: value }),
  "another argument": (value) => ({ key: value, also: value }),
  "an object around it": (value) => ({ key: { value } }),
  "a list around it": (value) => ({ key: [value] }),
  "a list with another item": (value) => ({ key: [1, value] }),
  "no first element": (value) => ({ key: Array.isArray(value) ? value.slice(1) : [value] }),
  "JSON text": (value) => ({ key: JSON.stringify(value) }),
  "another member": (value) => ({ key: { ...(value as object), also: value } }),
  "misspelled members": (value) => ({
    key: JSON.parse(JSON.stringify(value).replaceAll('"word"', '"wrod"')),
  }),
};

const SOURCES = {
  "src/vault.ts": `
    import { Tool, ToolError } from "@tenon/runtime";
    /** @secret */
    export type Phrase = string;
    /** @secret */
    export type Pin = number;
    /** @secret */
    export type Moment = Date;
    /** @secret */
    export type Ciphers = Record<string, number>;
    export interface Holder {
      /** @secret */
      word: string;
      note?: string;
    }
    export interface Tree {
      /** @secret */
      word?: string;
      children?: Tree[];
    }
    function show(value: unknown): string {
      return JSON.stringify(value, (_, each: unknown) =>
        each instanceof Map ? Object.fromEntries(each) : each instanceof Set ? [...each] : each,
      );
    }
    export class Vault {
${Object.entries(TYPES)
  .map(
    ([name, [type]]) => `
      /** Opens. */
      @Tool() ${name}(key: ${type}, end: string): string {
        if (end === "rejected") throw new ToolError("It stays closed.");
        if (end === "failed") throw new Error("The lock is broken.");
        if (end === "repeated") throw new Error(show(key));
        if (end === "told") throw new ToolError(show(key));
        if (end === "shown") return show(key);
        return "open";
      }`,
  )
  .join("\n")}
      /** Opens. */
      @Tool() values(/** @secret */ key: { pin: number; born: Date; site: URL; door: bigint; raw: Uint8Array; rooms: Map<string, number> }, day: Date): string {
        const { pin, born, site, door, raw, rooms } = key;
        throw new Error([pin, born.toISOString(), born, site, door, new TextDecoder().decode(raw), ...rooms.keys(), day.toISOString()].join(" | "));
      }
      /** Opens. */
      @Tool() cyclic(/** @secret */ word: string, inner: { list: unknown[] }): string {
        inner.list.push(inner);
        throw new Error(word);
      }
      /** Opens. */
      @Tool() wholeRecord(/** @secret */ s: Record<string, number>): string { return String(Object.keys(s).length); }
      /** Opens. */
      @Tool() taggedRecord(s: Ciphers): string { return String(Object.keys(s).length); }
      /** Opens. */
      @Tool() patterns(/** @secret */ s: { [name: \`x-\${string}\`]: string }): string { return String(Object.keys(s).length); }
      /** Opens. */
      @Tool() keys(/** @secret */ keys: Record<string, number>, also?: { /** @secret */ inner: { user: string }[] }): string {
        return String(Object.keys(keys).length) + String(also);
      }
      /** Counts by PIN. */
      @Tool() count(/** @secret */ pin: string): { byPin: Record<string, number[]>; year: number } {
        return { byPin: { [pin]: [Number(pin), 7] }, year: 12026 };
      }
      /** Opens. */
      @Tool() alternatives(/** @secret */ s: { kind: "a"; word: string } | { kind: "b"; pin: number }): string { return s.kind; }
    }`,
};

let observed: ObservedServer;
beforeAll(async () => {
  observed = await buildObservedServer("secret-arguments", SOURCES);
});
afterAll(() => observed.remove());

/** Calls a tool. @returns what the client and the operators see, as text */
async function call(tool: string, args: unknown): Promise<string> {
  observed.clear();
  const client = await connect(observed.server, { revision: "2026-07-28", showErrors: false });
  const response = await client.request("tools/call", { name: tool, arguments: args }).catch(String);
  await client.close();
  expect(observed.entries.length).toBeGreaterThan(0);
  return JSON.stringify(response) + observed.asText();
}

describe.each(Object.entries(TYPES))("a secret in an argument of the kind %s", (tool, [, toValue]) => {
  test.each(Object.entries(MISTAKES))("stays hidden with %s", async (_, toArguments) => {
    for (const end of ["done", "rejected", "failed"]) {
      const secret = `hunter-${tool}-${end}-swordfish`;
      expect(await call(tool, { ...toArguments(toValue(secret)), end })).not.toContain(secret);
    }
  });
});

describe.each(Object.entries(TYPES))(
  "a secret that a handler repeats, of the kind %s",
  (tool, [, toValue]) => {
    const MESSAGES: Record<string, (value: unknown, end: string) => unknown> = {
      "as itself": (key, end) => ({ key, end }),
      "as JSON in a string": (value, end) => ({ key: JSON.stringify(value), end }),
      "in a string with all arguments": (key, end) => JSON.stringify({ key, end }),
    };
    test.each(Object.entries(MESSAGES))("is masked where the client sent it %s", async (_, toArguments) => {
      for (const end of ["repeated", "told", "shown"]) {
        const secret = `hunter-${tool}-${end}-swordfish`;
        await call(tool, toArguments(toValue(secret), end));
        expect(observed.asText()).not.toContain(secret);
      }
    });
  },
);

describe("a secret that a handler repeats after its conversion", () => {
  const key = {
    pin: "8.8812e5",
    born: "2031-07-07T07:07:07+02:00",
    site: "HTTPS://VAULT.example.com/swordfish",
    door: "771122334455",
    raw: Buffer.from("swordfish").toString("base64"),
    rooms: { attic: 1 },
  };
  test.each([
    ["as an object", { key, day: "2030-01-01T00:00:00Z" }],
    ["as JSON in a string", { key: JSON.stringify(key), day: "2030-01-01T00:00:00Z" }],
  ])("is masked where the client sent it %s", async (_, args) => {
    await call("values", args);
    const hidden = Array.from({ length: 7 }, () => "(secret)").join(" | ");
    expect(observed.errors()).toEqual([`Error: ${hidden} | 2030-01-01T00:00:00.000Z`]);
  });

  test("is masked if the handler has made other arguments contain themselves", async () => {
    await call("cyclic", { word: "swordfish", inner: { list: [] } });
    expect(observed.errors()).toContain("Error: (secret)");
  });
});

test("arguments that a client sends as one string are audited", async () => {
  await call("optional", JSON.stringify({ key: ["ada", "swordfish"], end: "done" }));
  expect(observed.entries.at(-1)).toMatchObject({ event: "call", arguments: "(secret)" });
});

describe("a secret in the only parameter", () => {
  const SECRET = "hunter-swordfish";
  test.each([
    ["wholeRecord", { a: SECRET }],
    ["wholeRecord", { s: { a: SECRET } }],
    ["wholeRecord", { a: [SECRET] }],
    ["taggedRecord", { a: SECRET }],
    ["patterns", { "x-a": [SECRET] }],
    ["patterns", { b: SECRET }],
    ["alternatives", { s: { kind: "a", word: [SECRET] } }],
    ["alternatives", { kind: "a", word: SECRET }],
    ["wholeRecord", { [SECRET]: 1 }],
    ["wholeRecord", { [SECRET]: "x" }],
    ["taggedRecord", { [SECRET]: "x" }],
    ["patterns", { [SECRET]: 1 }],
    ["patterns", { [`x-${SECRET}`]: 1 }],
  ])("stays hidden: %s with %j", async (tool, args) => {
    expect(await call(tool, args)).not.toContain(SECRET);
  });
});

describe("a name that is part of a secret", () => {
  const SECRET = "hunter-swordfish";
  test.each([
    [{ keys: { [SECRET]: 1 } }],
    [{ keys: { [SECRET]: "x" } }],
    [{ keys: { [SECRET]: { [SECRET]: 1 } } }],
    [{ keys: {}, also: { inner: [{ user: "ada", [SECRET]: 1 }] } }],
    [{ keys: {}, also: { inner: [{ [SECRET]: { user: 1 } }] } }],
  ])("stays hidden in %j", async (args) => {
    expect(await call("keys", args)).not.toContain(SECRET);
  });

  test("is replaced in the path of a problem, unless the type declares it", async () => {
    const args = { keys: { [SECRET]: "x" }, also: { inner: [{ user: 1, [SECRET]: 1 }] } };
    expect(await call("keys", args)).toContain("`keys.(secret)` must be a number");
    expect(await call("keys", args)).toContain("`also.inner[0].user` must be a string");
    expect(await call("keys", args)).toContain("unknown member `also.inner[0].(secret)`; valid: `user`");
  });
});

test("a result that repeats a secret as a number or a name is recorded without the secret", async () => {
  for (const pin of ["2026", "902101"]) {
    await call("count", { pin });
    const recorded = observed
      .spans()
      .map(({ attributes }) => (attributes as Record<string, string>)["gen_ai.tool.call.result"])
      .find((result) => result !== undefined);
    expect(JSON.parse(recorded ?? "")).toMatchObject({
      content: [{ text: '{"byPin":{"(secret)":[(secret),7]},"year":12026}' }],
      structuredContent: { byPin: { "(secret)": ["(secret)", 7] }, year: 12026 },
    });
  }
});

test("a tuple whose optional element is absent is audited with the elements that are not secret", async () => {
  expect(await call("optional", { key: ["ada", "swordfish"], end: "done" })).toContain(
    '"key":["ada","(secret)"]',
  );
});
