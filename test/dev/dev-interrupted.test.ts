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
// Waits, so that the build is under way whenever the key is pressed.
await new Promise((resolve) => setTimeout(resolve, 60_000));
`;

let project: ProjectFolder;
afterEach(() => project.remove());

it("Ctrl-C during the first build of `tenon dev` ends it without a word of failure", async () => {
  project = projectFolder({ "src/greeter.ts": GREETER });
  const terminal = pseudoTerminal(process.execPath, [program, "dev", "--port", "0"], { cwd: project.root });
  const builds = join(project.root, ".tenon/dev");
  await eventually(() => expect(readdirSync(builds, { recursive: true }).join()).toContain("app.js"));
  terminal.type(CTRL_C);
  expect(await terminal.exited).toBe(0);
  // Without the line that says what is being done.
  expect(terminal.screen().replaceAll(/\r?[\u2800-\u28ff] [A-Za-z ]+|\r/g, "")).toBe("^C");
  expect(readdirSync(builds)).toEqual([]);
});

it.runIf(existsSync(`/proc/self/task/${process.pid}/children`))(
  "and where it hears first that the server has ended, too",
  async () => {
    project = projectFolder({ "src/greeter.ts": `console.error("Loading.");\n${GREETER}` });
    const dev = startDev(project.root, "--port", "0");
    await dev.says(/Loading\./);
    // Until types are checked, which goes on meanwhile, no failure is told anyway.
    await setTimeout(1000);
    // As at a terminal, the key is for all processes. Who goes on with several signals pending hears of its children first.
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
