/** Commands in a folder inside a project. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { run } from "@tenon/cli";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const SERVER = `import { existsSync } from "node:fs";
import { defineServer, Tool } from "@tenon/runtime";

if (existsSync(".env")) process.loadEnvFile();

export class Keys {
  /** Returns the key. */
  @Tool({ readOnly: true, openWorld: false })
  read(): string {
    return process.env["SAMPLE_KEY"] ?? "no key";
  }
}

export default defineServer({ name: "keys" });
`;
const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

let project: ProjectFolder;
let inner: string;

beforeEach(() => {
  project = projectFolder({ "src/server.ts": SERVER, ".env": "SAMPLE_KEY=from .env\n" });
  inner = join(project.root, "src/deep/inside");
  mkdirSync(inner, { recursive: true });
});
afterEach(() => project.remove());

describe("in a folder inside a project", () => {
  it.each([
    { args: ["inspect"], output: "keys 1.2.3  1 tool" },
    { args: ["inspect", "."], output: "keys 1.2.3  1 tool" },
    { args: ["check"], output: "keys 1.2.3" },
    { args: ["build"], output: "node ../../../dist/server.js" },
    { args: ["types"], output: "export" },
    { args: ["add", "tool", "other"], output: "src/other.ts" },
    { args: ["install", "claude-code", "--scope", "project", "--print"], output: "dist/server.js" },
    { args: ["package", "--docker"], output: "../../../Dockerfile" },
  ])("$args uses the project", async ({ args, output }) => {
    const terminal = recordingTerminal(inner);
    expect([await run(args, terminal), terminal.stderr()]).toEqual([0, expect.anything()]);
    expect(terminal.stdout() + terminal.stderr()).toContain(output);
  });

  it("a call runs the server in the project folder, where its .env is", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, "call", "read"], { cwd: inner });
    expect(stdout).toBe("from .env\n");
  });

  it("a folder that is named is used as it is", async () => {
    const terminal = recordingTerminal(inner);
    expect(await run(["inspect", "../inside"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("inside");
  });
});

it("a folder outside every project is reported", async () => {
  const terminal = recordingTerminal("/");
  expect(await run(["inspect"], terminal)).toBe(1);
  expect(terminal.stderr()).toContain("package.json");
});
