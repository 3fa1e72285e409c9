import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PreparedRival } from "../bench/compare/prepare.mjs";
import {
  exception,
  invalidArgument,
  invalidResult,
  orphan,
  printing,
  unknownArgument,
} from "../bench/compare/probes.mjs";

/** A server over stdio whose misbehavior its arguments select. */
const SERVER = `
import { createInterface } from "node:readline";
const [, , ...faults] = process.argv;
const has = (fault) => faults.includes(fault);
const failure = (text) => ({ isError: true, content: [{ type: "text", text }] });
const TOOLS = {
  add: ({ a, c }) => {
    if (has("lenient")) return { content: [{ type: "text", text: "3" }] };
    if (typeof a !== "number") return failure(has("vague") ? "Invalid arguments" : "a must be a number");
    return c === undefined ? { content: [] } : failure("Unknown argument c");
  },
  promise: () => (has("lenient") ? { content: [], structuredContent: { count: "many" } } : failure("Invalid result")),
  fail: () => {
    const error = new Error("postgres://ada:hunter2@db.internal/books is down");
    return failure(has("stack") ? error.stack : has("leak") ? error.message : "Internal error");
  },
  print: () => {
    (has("print") ? console.log : console.error)("Hello!");
    return { content: [{ type: "text", text: "printed" }] };
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result =
    method === "tools/call"
      ? TOOLS[params.name](params.arguments)
      : { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: "fake", version: "1" } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
}
if (has("stay")) setInterval(() => {}, 1000);
`;

const probes = { exception, invalidArgument, invalidResult, orphan, printing, unknownArgument };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-probes-"));
  writeFileSync(join(folder, "server.mjs"), SERVER);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a framework whose server has these faults. */
function rivalWith(...faults: string[]): PreparedRival {
  return {
    rival: {
      name: "fake",
      label: "Fake",
      package: "fake",
      site: "https://example.com",
      transports: ["stdio"],
    },
    version: "1.0.0",
    installed: { run: folder, build: folder },
    url: new URL("http://127.0.0.1:1/mcp"),
    command: () => ({ args: [join(folder, "server.mjs"), ...faults], cwd: folder }),
  };
}

describe("a probe of the comparison", () => {
  test.each([
    ["invalidArgument", [], "tool error that names it"],
    ["invalidArgument", ["vague"], "tool error that does not name it"],
    ["invalidArgument", ["lenient"], "accepted"],
    ["unknownArgument", [], "rejected"],
    ["unknownArgument", ["lenient"], "ignored"],
    ["invalidResult", [], "replaced by an error"],
    ["invalidResult", ["lenient"], "sent as it is"],
    ["exception", [], "logged only"],
    ["exception", ["leak"], "message sent"],
    ["exception", ["stack"], "message and stack sent"],
    ["printing", [], "kept off stdout"],
    ["printing", ["print"], "corrupts the protocol"],
    ["orphan", [], "exits"],
    ["orphan", ["stay"], "stays"],
  ] as const)("%s with the faults %j observes: %s", async (probe, faults, observed) => {
    expect(await probes[probe](rivalWith(...faults))).toBe(observed);
  });
});
