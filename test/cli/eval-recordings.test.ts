import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const HEADER = {
  tenonRecording: 1,
  startedAt: "2026-11-22T17:00:00.000Z",
  project: "sample",
  transport: "http",
};

/** Returns a recording with tool calls and their results. */
function createRecording(
  ...calls: { params: object; result?: object; masked?: string[]; isCancelled?: boolean }[]
): string {
  const lines = calls.flatMap(({ params, result = { content: [] }, masked, isCancelled }, id) => [
    { ms: id, from: "client", message: { jsonrpc: "2.0", id, method: "tools/call", params }, masked },
    ...(isCancelled === true
      ? [
          {
            ms: id,
            from: "client",
            message: { method: "notifications/cancelled", params: { requestId: id } },
          },
        ]
      : []),
    { ms: id, from: "server", message: { jsonrpc: "2.0", id, result } },
  ]);
  return [HEADER, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

let project: ProjectFolder;
beforeAll(() => {
  const recorded = join(import.meta.dirname, "replay/legacy.jsonl");
  project = projectFolder({ "legacy.jsonl": readFileSync(recorded, "utf8") });
});
afterAll(() => project.remove());

const write = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const terminal = recordingTerminal(project.root);
  const code = await run(["eval", "--from", ...args], terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
};
const read = (path: string): string => readFileSync(join(project.root, path), "utf8");

describe("tenon eval --from", () => {
  it("writes a case for each call of a session, without its secrets", async () => {
    const { code, out, err } = await write("legacy.jsonl");
    expect([code, out]).toEqual([0, ""]);
    expect(err).toMatchInlineSnapshot(`
      "✓ Wrote test/legacy.evals.ts: 6 cases; 2 failed calls were omitted
        Write the prompt of each case: a recording contains calls, but not the messages of the user.
      "
    `);
    expect(read("test/legacy.evals.ts")).toMatchInlineSnapshot(`
      "import { defineEvals } from "@tenon/cli/testing";

      // From legacy.jsonl. Write each prompt as a user would, and remove the arguments that do not follow from it.
      export default defineEvals({
        cases: [
          { prompt: "", tool: "greet", arguments: { name: "Ada" } },
          { prompt: "", tool: "order", arguments: { what: "tea" } },
          { prompt: "", tool: "cancel", arguments: { id: "4ced2a7d-9651-4918-925a-35e7ab2806b7" } },
          // Masked in the recording, and not asserted: password
          { prompt: "", tool: "login", arguments: { user: "ada" } },
          // Masked in the recording, and not asserted: token
          { prompt: "", tool: "holder" },
          { prompt: "", tool: "book", arguments: { city: "Oslo" } },
        ],
      });
      "
    `);
    expect(read("test/legacy.evals.ts")).not.toContain("(secret");
  });

  it("keeps what was written before", async () => {
    const before = read("test/legacy.evals.ts");
    expect(await write("legacy.jsonl")).toMatchObject({
      code: 1,
      err: expect.stringContaining("test/legacy.evals.ts already exists.") as string,
    });
    expect(read("test/legacy.evals.ts")).toBe(before);
  });

  it("omits failed and cancelled calls, repetitions, and every argument with a secret in it", async () => {
    const failed = { content: [], isError: true };
    project.write({
      ".tenon/recordings/s.jsonl": createRecording(
        { params: { name: "find", arguments: { text: "tea", max: 3 } } },
        { params: { name: "find", arguments: { text: "tea", max: 3 } } },
        { params: { name: "find", arguments: { text: "" } }, result: failed },
        { params: { name: "find", arguments: { text: "slow" } }, isCancelled: true },
        {
          params: {
            name: "pay",
            arguments: { card: { number: "(secret 1)" }, "to/from": "Bob", note: "pin (secret 2)" },
          },
          masked: ["/message/params/arguments/card/number", "/message/params/arguments/note"],
        },
        { params: { name: "list" } },
      ),
    });
    const terminal = recordingTerminal(project.root);
    // Without a name, the newest recording of the project.
    expect(await run(["eval", "--from"], terminal)).toBe(0);
    expect(terminal.stderr()).toContain("Wrote test/s.evals.ts: 3 cases; 2 failed calls were omitted");
    expect(read("test/s.evals.ts")).toMatchInlineSnapshot(`
      "import { defineEvals } from "@tenon/cli/testing";

      // From s.jsonl. Write each prompt as a user would, and remove the arguments that do not follow from it.
      export default defineEvals({
        cases: [
          { prompt: "", tool: "find", arguments: { text: "tea", max: 3 } },
          // Masked in the recording, and not asserted: card, note
          { prompt: "", tool: "pay", arguments: { "to/from": "Bob" } },
          { prompt: "", tool: "list" },
        ],
      });
      "
    `);
  });

  it("writes the named file, whose cases are rejected until they have prompts", async () => {
    project.write({
      "src/a.ts": `import { Tool } from "@tenon/runtime"; export class A { @Tool() greet(name: string) { return name; } }`,
    });
    rmSync(join(project.root, "test"), { recursive: true });
    project.write({
      "one.jsonl": createRecording({ params: { name: "greet", arguments: { name: "Ada" } } }),
    });
    expect((await write("one.jsonl", "test/greet.evals.ts")).code).toBe(0);
    const terminal = recordingTerminal(project.root);
    expect(await run(["eval", "--dry-run"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("test/greet.evals.ts, case 1 has no prompt for `greet`.");
    project.write({
      "test/greet.evals.ts": read("test/greet.evals.ts").replace('prompt: ""', 'prompt: "Greet Ada."'),
    });
    const again = recordingTerminal(project.root);
    expect(await run(["eval", "--dry-run"], again)).toBe(0);
    expect(again.stdout()).toContain("  Greet Ada.\n    `greet` with `name`");
  });

  it.each([
    [["none.jsonl"], 2, "none.jsonl does not exist."],
    [["empty.jsonl"], 1, "empty.jsonl contains no successful tool call."],
    [["package.json"], 1, "package.json is not a recording of `tenon dev --record`."],
    [["one.jsonl", "a.evals.ts", "b.evals.ts"], 2, "--from writes one file."],
    [["one.jsonl", "a.evals.ts", "--update"], 2, "cannot be used with option `--update`"],
  ])("with %j exits with %i", async (args, exitCode, message) => {
    project.write({
      "empty.jsonl": createRecording(),
      "package.json": `${JSON.stringify({ name: "sample" })}\n`,
    });
    const { code, err } = await write(...args);
    expect(err).toContain(message);
    expect(code).toBe(exitCode);
  });
});
