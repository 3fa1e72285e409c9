import { describe, expect, test } from "vitest";
import { describeTransports, LATEST } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";

const METHODS = [
  "ping",
  "initialize",
  "server/discover",
  "logging/setLevel",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
  "unknown",
  "__proto__",
  "constructor",
  "",
];
const MEMBERS = [
  "name",
  "arguments",
  "uri",
  "_meta",
  "cursor",
  "ref",
  "argument",
  "level",
  "protocolVersion",
  "context",
];
const VALUES = [
  null,
  0,
  -1.5,
  true,
  "",
  "add",
  "plan",
  "note://1",
  "__proto__",
  "\u0000",
  [],
  [{}],
  {},
  { a: 1, b: 2 },
  { type: "ref/prompt", name: "plan" },
  { name: "city", value: "" },
  JSON.parse('{"__proto__":{"a":1},"constructor":null}') as unknown,
  { "io.modelcontextprotocol/protocolVersion": LATEST, "io.modelcontextprotocol/clientCapabilities": {} },
];

/** Creates a generator of numbers that are the same in every run, so that a failure can be reproduced. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

function requests(seed: number, count: number): { id: string | number; text: string }[] {
  const next = numbers(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  return Array.from({ length: count }, (_, index) => {
    const id = next() < 0.5 ? 1000 + index : `id-${index}`;
    const message: Record<string, unknown> = { jsonrpc: "2.0", id, method: pick(METHODS) };
    const some = () =>
      Object.fromEntries(Array.from({ length: Math.floor(next() * 4) }, () => [pick(MEMBERS), pick(VALUES)]));
    if (next() < 0.9) message["params"] = next() < 0.2 ? pick(VALUES) : some();
    if (next() < 0.2) message[pick(["extra", "result", "error"])] = pick(VALUES);
    return { id, text: JSON.stringify(message) };
  });
}

describeTransports(
  createFixture,
  (open) => {
    describe.each([1, 2, 3])("from the seed %i", (seed) => {
      test("every request receives one response, and none breaks the server", async () => {
        const client = await open();
        for (const { id, text } of requests(seed, 300)) {
          const answer = await client.sendText(text);
          expect(answer.id, text).toBe(id);
          expect(answer.error?.code, text).not.toBe(-32603);
        }
        expect(await client.call("add", { a: 1, b: 2 })).toMatchObject({ structuredContent: 3 });
      });
    });
  },
  ["memory", "stdio"],
);
