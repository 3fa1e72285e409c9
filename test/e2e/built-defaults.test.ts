import type { Profile } from "@tenon/runtime";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

/** Methods that return their arguments, of which a caller omits every value with a `@default`. */
const SOURCE = `
import { Prompt, Tool } from "@tenon/runtime";

/** @default 7 */
type Count = number;
/** @default {"a":1} */
interface Named { a: number }
interface Sizes {
  /** @default 5 */ n: number;
  count: Count;
  /** @default 2020-01-01 */ date: Date;
  /** @default {"k":1} */ nested: { k: number };
  /** @default "b" */ kind: "a" | "b";
  union: Count | string;
}
type Either = { kind: "one"; /** @default 1 */ n: number } | { kind: "two"; /** @default 2 */ n: number };

export class Defaults {
  /** Parameters. */
  @Tool() parameters(count: Count, named: Named, /** @default "x" */ text: string): string {
    return JSON.stringify({ count, named, text });
  }
  /** One object. */
  @Tool() object(all: Sizes): string { return show(all); }
  /** A pattern. */
  @Tool() pattern({ n, count }: Sizes): string { return JSON.stringify({ n, count }); }
  /** Members. */
  @Tool() members(
    inner: Sizes, list: Sizes[], record: Record<string, Sizes>, nullable: Sizes | null,
    some: Omit<Sizes, "n">, mapped: { [K in "n"]-?: Sizes[K] }, either: Either,
  ): string {
    return show({ inner, list, record, nullable, some, mapped, either });
  }
  /** Text. */
  @Prompt() text(count: Count, /** @default "x" */ word: string): string { return JSON.stringify({ count, word }); }
}

function show(value: unknown): string {
  return JSON.stringify(value);
}
`;

const FILLED = {
  n: 5,
  count: 7,
  date: "2020-01-01T00:00:00.000Z",
  nested: { k: 1 },
  kind: "b",
  union: 7,
};
const { n: _n, ...WITHOUT_N } = FILLED;

const CASES: [tool: string, args: Record<string, unknown>, received: unknown][] = [
  ["parameters", {}, { count: 7, named: { a: 1 }, text: "x" }],
  ["parameters", { count: 1, text: "y" }, { count: 1, named: { a: 1 }, text: "y" }],
  ["object", {}, FILLED],
  ["object", { n: 1 }, { ...FILLED, n: 1 }],
  ["pattern", {}, { n: 5, count: 7 }],
  [
    "members",
    {
      inner: {},
      list: [{}],
      record: { a: {} },
      nullable: {},
      some: {},
      mapped: {},
      either: { kind: "two" },
    },
    {
      inner: FILLED,
      list: [FILLED],
      record: { a: FILLED },
      nullable: FILLED,
      some: WITHOUT_N,
      mapped: { n: 5 },
      either: { kind: "two", n: 2 },
    },
  ],
];

describe.each<Profile>(["portable", "openai-strict", "gemini"])("with the profile %s", (profile) => {
  let built: BuiltServer;
  let client: TestClient;
  beforeAll(async () => {
    built = await buildServer({ "src/defaults.ts": SOURCE }, profile);
    client = await connect(await built.load());
  });
  afterAll(() => built.remove());

  it.each(CASES)(
    "the defaults of required values apply where a caller omits them: %s %j",
    async (...each) => {
      const [tool, args, received] = each;
      const { content } = await client.callTool(tool, args);
      expect(JSON.parse((content[0] as { text: string }).text)).toEqual(received);
    },
  );

  it("a prompt lists arguments with defaults as optional, and applies them", async () => {
    const [prompt] = await client.listPrompts();
    expect(prompt?.arguments?.filter(({ required }) => required)).toEqual([]);
    const { messages } = await client.getPrompt("text");
    expect(messages).toMatchObject([{ content: { text: '{"count":7,"word":"x"}' } }]);
  });
});
