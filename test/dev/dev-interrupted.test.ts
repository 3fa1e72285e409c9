import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { CTRL_C, pseudoTerminal } from "../support/pseudo-terminal.js";
import { eventually } from "../support/eventually.js";

const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

let project: ProjectFolder;
afterEach(() => project.remove());

it("Ctrl-C during the first build of `tenon dev` ends it without a word of failure", async () => {
  project = projectFolder({
    "src/greeter.ts": `import { Tool } from "@tenon/runtime";
export class Greeter {
  /** Greet. */
  @Tool()
  greet(name: string): string {
    return \`Hello, \${name}!\`;
  }
}
// Waits, so that the build is under way whenever the key is pressed.
await new Promise((resolve) => setTimeout(resolve, 60_000));
`,
  });
  const terminal = pseudoTerminal(process.execPath, [program, "dev", "--port", "0"], { cwd: project.root });
  const builds = join(project.root, ".tenon/dev");
  await eventually(() => expect(readdirSync(builds, { recursive: true }).join()).toContain("app.js"));
  terminal.type(CTRL_C);
  expect(await terminal.exited).toBe(0);
  // Without the line that says what is being done.
  expect(terminal.screen().replaceAll(/\r?[\u2800-\u28ff] [A-Za-z ]+|\r/g, "")).toBe("^C");
  expect(readdirSync(builds)).toEqual([]);
});
