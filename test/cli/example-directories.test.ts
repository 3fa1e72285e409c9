/** Examples and templates follow the rules of directories, and have the best grade. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ServerGrade } from "@tenon/compiler";
import { run } from "@tenon/cli";
import { describe, expect, test } from "vitest";
import { recordingTerminal } from "../support/recording-terminal.js";

const examples = join(import.meta.dirname, "../../examples");

async function check(folder: string, ...args: string[]): Promise<{ code: number; out: string }> {
  const terminal = recordingTerminal(folder);
  const code = await run(["check", ...args], terminal);
  return { code, out: terminal.stdout() };
}

describe("servers that imitate the reference servers", () => {
  test.each(["files", "git", "memory"])("%s is accepted by every directory", async (name) => {
    const { code, out } = await check(join(examples, name), "--directory", "all");
    expect(out).not.toMatch(/^.*error {2}directory-.*$/m);
    expect(code).toBe(0);
  });
});

/** The conformance suite decides the definitions of the example `everything`. */
const OWN = readdirSync(examples).filter((name) => name !== "everything");

test.each(OWN)("the definitions of the example %s have the grade A", async (name) => {
  const { out } = await check(join(examples, name), "--json");
  const { grade } = JSON.parse(out) as { grade: ServerGrade };
  expect(grade.tools.filter(({ tier }) => tier !== "A").map((tool) => tool.name)).toEqual([]);
  expect(grade.tier).toBe("A");
});
