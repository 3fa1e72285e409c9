import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { CTRL_C, pseudoTerminal } from "../support/pseudo-terminal.js";
import { eventually } from "../support/eventually.js";
import { startDev } from "./dev-process.js";

const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

const GREETER = `import { Tool } from "@tenon/runtime";
export class Greeter {
  /** Greet. */
  @Tool()
  greet(name: string): string {
    return \`Hello, \${name}!\`;
  }
}
// Waits, so that the build is still in progress when the key is pressed.
await new Promise((resolve) => setTimeout(resolve, 60_000));
`;

let project: ProjectFolder;
afterEach(() => project.remove());

it("Ctrl-C during the first build of `tenon dev` ends it without an error message", async () => {
  project = projectFolder({ "src/greeter.ts": GREETER });
  const terminal = pseudoTerminal(process.execPath, [program, "dev", "--port", "0"], { cwd: project.root });
  const builds = join(project.root, ".tenon/dev");
  await eventually(() => expect(readdirSync(builds, { recursive: true }).join()).toContain("app.js"));
  terminal.type(CTRL_C);
  expect(await terminal.exited).toBe(0);
  // Without the line that shows the progress.
  expect(terminal.screen().replaceAll(/\r?[\u2800-\u28ff] [A-Za-z ]+|\r/g, "")).toBe("^C");
  expect(readdirSync(builds)).toEqual([]);
});

it.runIf(existsSync(`/proc/self/task/${process.pid}/children`))(
  "Ctrl-C ends `tenon dev` without an error message even if its server ends first",
  async () => {
    project = projectFolder({ "src/greeter.ts": `console.error("Loading.");\n${GREETER}` });
    const dev = startDev(project.root, "--port", "0");
    await dev.waitForOutput(/Loading\./);
    // No failure is reported until the type check, which runs meanwhile, is complete.
    await setTimeout(1000);
    // As in a terminal, all processes receive the signal. A process that resumes with several pending signals sees those of its children first.
    dev.signal("SIGSTOP");
    const children = readFileSync(`/proc/${dev.pid}/task/${dev.pid}/children`, "utf8").trim().split(" ");
    dev.signal("SIGINT");
    for (const pid of children) process.kill(Number(pid), "SIGINT");
    for (const pid of children)
      await eventually(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z"));
    dev.signal("SIGCONT");
    expect(await dev.exited).toBe(0);
    expect(dev.log()).toBe("Compiling…\nLoading.\n");
  },
);
