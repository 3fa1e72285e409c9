import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";
import { fullCombinations } from "./full-clients.js";
import type { RunningServer } from "./official-clients.js";

/** Parameters whose values clients can only send as text, with the value that the handler receives; undefined if rejected. */
const TEXTS: [parameter: string, text: string | undefined, received: string | undefined][] = [
  ["x: 1 | 2", "2", "2"],
  ["x: 1 | 2", "3", undefined],
  ["x: Level", "5", "5"],
  ["x: Mixed", "1", "1"],
  ["x: Mixed", "a", "'a'"],
  ["x: 1 | 'auto'", "1", "1"],
  ["x: 1 | 'auto'", "auto", "'auto'"],
  ["x: '1' | 1", "1", "'1'"],
  ["x: number | 'auto'", "1.5", "1.5"],
  ["x: boolean | 'auto'", "true", "true"],
  ["x: bigint", "99999999999999999999", "99999999999999999999n"],
  ["x: bigint", "1.5", undefined],
  ["x: 1n | 5n", "5", "5n"],
  ["x: Date", "2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["x: Date | 'now'", "now", "'now'"],
  ["x: Date | null", "null", "null"],
  ["x: `${number}px`", "12px", "'12px'"],
  ["x: `${number}px`", "12", undefined],
  ["x: string | number", "12", "'12'"],
];

/** Parameters that may be left out. */
const OPTIONAL: typeof TEXTS = [
  ["x?: number", undefined, "undefined"],
  ["x?: Mixed", "1", "1"],
  ["x = 3n", undefined, "3n"],
  ["x = 3n", "4", "4n"],
  ["x = Level.High", undefined, "5"],
  ["x: Date | undefined", undefined, "undefined"],
];

/** Fields of forms: the field that clients see, the entered text, and the value that the handler receives. */
const FIELDS: [field: string, shown: object, content: object, received: string][] = [
  ["x: bigint", { type: "string" }, { x: "12" }, "{ x: 12n }"],
  [
    "x: Date",
    { type: "string", format: "date-time" },
    { x: "2027-01-31T00:00:00Z" },
    "{ x: 2027-01-31T00:00:00.000Z }",
  ],
  [
    "/** @format date */ x: Date",
    { type: "string", format: "date" },
    { x: "2027-01-31" },
    "{ x: 2027-01-31T00:00:00.000Z }",
  ],
  [
    "x: Set<'a' | 'b'>",
    { type: "array", items: { type: "string", enum: ["a", "b"] } },
    { x: ["b"] },
    "{ x: Set(1) { 'b' } }",
  ],
  ["x: 1n | 5n", { type: "string", enum: ["1", "5"] }, { x: "5" }, "{ x: 5n }"],
  ["x: true", { type: "boolean", description: "Must be true." }, { x: true }, "{ x: true }"],
  ["/** @default 3 */ x?: bigint", { type: "string", default: "3" }, {}, "{ x: 3n }"],
  ["x?: Date", { type: "string", format: "date-time" }, {}, "{}"],
];

const source = `
import { Prompt, Resource, Tool, type Context } from "@tenon/runtime";
import { inspect } from "node:util";
enum Level { Low, High = 5 }
enum Mixed { A = "a", B = 1 }
export class Values {
${[...TEXTS, ...OPTIONAL].map(([parameter], index) => `  /** A. */ @Prompt() p${index}(${parameter}) { return inspect(x); }`).join("\n")}
${TEXTS.map(([parameter], index) => `  /** A. */ @Resource("text://${index}/{x}") r${index}(${parameter}) { return inspect(x); }`).join("\n")}
${OPTIONAL.map(([parameter], index) => `  /** A. */ @Resource("text://optional/${index}{?x}") o${index}(${parameter}) { return inspect(x); }`).join("\n")}
${FIELDS.map(
  ([field], index) => `  /** A. */ @Tool() async f${index}(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ ${field} }>("${index}");
    return inspect(answer.action === "accept" && answer.content);
  }`,
).join("\n")}
}
`;

let built: BuiltServer;
let server: RunningServer;
beforeAll(async () => {
  built = await buildServer({ "src/values.ts": source });
  const none = (): never => {
    throw new Error("These clients start the server themselves.");
  };
  server = { entry: built.program, env: {}, url: none, stop: none };
});
afterAll(() => built.remove());

const overStdio = fullCombinations.filter(({ transport }) => transport === "stdio");

describe.each(overStdio)("text that $name sends is converted to its declared type", ({ connect }) => {
  test("in prompts and URIs", async () => {
    const client = await connect(server);
    onTestFinished(() => client.close());
    const settle = (sent: Promise<unknown>): Promise<unknown> => sent.catch(() => undefined);
    const outcomes = await Promise.all(
      [...TEXTS, ...OPTIONAL].map(async ([parameter, text, received], index) => {
        const asked = { name: `p${index}`, ...(text !== undefined && { arguments: { x: text } }) };
        const place = index - TEXTS.length;
        const uri =
          place < 0
            ? `text://${index}/${encodeURIComponent(text ?? "")}`
            : `text://optional/${place}${text === undefined ? "" : `?x=${text}`}`;
        const prompt = await settle(client.getPrompt(asked));
        const resource = await settle(client.readResource({ uri }));
        const was = [
          (prompt as { messages: [{ content: { text: string } }] } | undefined)?.messages[0].content.text,
          (resource as { contents: [{ text: string }] } | undefined)?.contents[0].text,
        ];
        return { parameter, text, was, expected: [received, received] };
      }),
    );
    expect(outcomes.map(({ parameter, text, was }) => ({ parameter, text, was }))).toEqual(
      outcomes.map(({ parameter, text, expected }) => ({ parameter, text, was: expected })),
    );
  });

  test("in forms", async () => {
    const shown = new Map<string, unknown>();
    const client = await connect(server, {
      elicit: ({ message, requestedSchema }) => {
        const { properties } = requestedSchema as { properties: { x: object } };
        shown.set(String(message), properties.x);
        return { action: "accept", content: FIELDS[Number(message)]?.[2] as Record<string, unknown> };
      },
      sample: () => ({}),
      roots: [],
    });
    onTestFinished(() => client.close());
    for (const [index, [, field, , received]] of FIELDS.entries()) {
      const { content } = await client.callTool({ name: `f${index}` });
      expect(content).toEqual([{ type: "text", text: received }]);
      expect(shown.get(String(index))).toMatchObject(field);
    }
  });
});
