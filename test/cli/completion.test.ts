/** Completion of the word that is being typed. */
import { run } from "@tenon/cli";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
beforeAll(() => {
  const tool = (name: string, properties: object): object => ({
    definition: { name, description: `Does ${name}.\nMore.`, inputSchema: { type: "object", properties } },
  });
  const manifest = {
    tools: [
      tool("current", { city: { description: "Where" }, units: { enum: ["metric", "imperial"] } }),
      tool("forecast", { late: { type: "boolean" } }),
    ],
    prompts: [{ definition: { name: "plan" } }],
    resources: [{ definition: { uri: "climate://cities" } }],
  };
  project = projectFolder({
    ".tenon/server.d.ts": "",
    ".tenon/call/tenon.manifest.json": JSON.stringify({ ...manifest, tools: [] }),
    "dist/tenon.manifest.json": JSON.stringify(manifest),
  });
});
afterAll(() => project.remove());

async function complete(...words: string[]): Promise<string[]> {
  const terminal = recordingTerminal(project.root);
  expect(await run(["completion", "--suggest", "--", ...words], terminal)).toBe(0);
  expect(terminal.stderr()).toBe("");
  return terminal
    .stdout()
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "");
}

test.each([
  [["in"], ["inspect", "install"]],
  [["--v"], ["--version"]],
  [["help", "ch"], ["check"]],
  [["inspect", "--cl"], ["--client-id"]],
  [
    ["call", ""],
    ["current", "forecast"],
  ],
  [["call", "for"], ["forecast"]],
  [["call", "--json", "cur"], ["current"]],
  [
    ["call", "current", ""],
    ["city=", "units=", "units=metric", "units=imperial"],
  ],
  [["call", "current", "units=m"], ["units=metric"]],
  [["call", "current", "units=metric", ""], ["city="]],
  [
    ["call", "forecast", "late="],
    ["late=true", "late=false"],
  ],
  [["call", "--prompt", ""], ["plan"]],
  [["call", "--resource", "cli"], ["climate://cities"]],
  [
    ["call", "--era", ""],
    ["modern", "legacy"],
  ],
  [["call", "--era=l"], ["--era=legacy"]],
  [
    ["install", "claude-"],
    ["claude-code", "claude-desktop"],
  ],
  [["check", "--client", "gem"], ["gemini"]],
  [["check", "-c", "gem"], ["gemini"]],
  [["add", "to"], ["tool"]],
  [["explain", "type-funct"], ["type-function"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  // The shell itself completes paths and other words.
  [["build", ""], [""]],
  [["types", "--out", ""], [""]],
  [["add", "tool", "x", ""], [""]],
  [["call", "x", "--", "no"], [""]],
  [["nothing", ""], [""]],
])("completion after %j suggests %j", async (words, found) => {
  expect(await complete(...words)).toEqual(found);
});

test("a shell receives only the first line of a tool's description", async () => {
  const terminal = recordingTerminal(project.root);
  await run(["completion", "--suggest", "--", "call", "cur"], terminal);
  expect(terminal.stdout()).toBe("current\tDoes current.\n");
});

describe("a folder that has not been built", () => {
  test("has no tools to suggest", async () => {
    const empty = projectFolder({ "dist/tenon.manifest.json": "{" });
    const terminal = recordingTerminal(empty.root);
    expect(await run(["completion", "--suggest", "--", "call", ""], terminal)).toBe(0);
    expect([terminal.stdout(), terminal.stderr()]).toEqual(["", ""]);
    empty.remove();
  });
});

test("an unknown shell is a usage error", async () => {
  const terminal = recordingTerminal(project.root);
  expect(await run(["completion", "bsh"], terminal)).toBe(2);
  expect(terminal.stderr()).toBe(
    "error  Unknown shell `bsh`. Did you mean `bash`?\nhint   The shells are bash, zsh, and fish.\n",
  );
  expect(await run(["completion"], terminal)).toBe(2);
});
