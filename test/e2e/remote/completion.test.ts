/** Tab in real shells. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../../support/project-folder.js";

const program = resolve(import.meta.dirname, "../../../packages/cli/bin/tenon.js");

let project: ProjectFolder;
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  const definition = {
    name: "current",
    description: "The weather: now",
    inputSchema: { properties: { city: {}, units: { enum: ["metric", "imperial"] } } },
  };
  const manifest = { tools: [{ definition }], prompts: [], resources: [] };
  project = projectFolder({ "dist/tenon.manifest.json": JSON.stringify(manifest), "notes.txt": "" });
  const bin = join(project.root, "bin");
  mkdirSync(bin);
  const tenon = join(bin, "tenon");
  // What a shell would run after Tab and Enter is shown in place of being run.
  writeFileSync(
    tenon,
    `#!/bin/sh\nif [ "$1" = completion ]; then exec '${process.execPath}' '${program}' "$@"; fi\necho "ran: <$*>"\n`,
  );
  chmodSync(tenon, 0o755);
  env = {
    ...process.env,
    HOME: project.root,
    XDG_CONFIG_HOME: join(project.root, ".config"),
    PATH: `${bin}:${process.env["PATH"]}`,
    TERM: "xterm",
  };
  delete env["BASH_ENV"];
});
afterAll(() => project.remove());

/** The options with which each shell starts without the user's settings. */
const SHELLS = {
  bash: ["bash --norc --noprofile -i", "source <(tenon completion bash)", "source <(tenon completion bash)"],
  zsh: ["zsh -f -i", "autoload -U compinit && compinit -u -D", "source <(tenon completion zsh)"],
  fish: ["fish --no-config -i", "tenon completion fish | source"],
};

/** Types lines in a shell's terminal, each after the shell responded to the previous one, and returns the output. */
function typeInShell(shell: keyof typeof SHELLS, line: string): Promise<string> {
  const [command = "", ...before] = SHELLS[shell];
  const child = spawn("script", ["-qec", `stty cols 120 rows 40 && exec ${command}`, "/dev/null"], {
    cwd: project.root,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const steps = [...before.map((each) => `${each}; echo rea"dy"\n`), line];
  return new Promise((done) => {
    let text = "";
    const next = (): void => {
      const step = steps.shift();
      if (step !== undefined) child.stdin.write(step);
    };
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
      const shown = stripVTControlCharacters(text);
      if (/^ready\r?$/m.test(shown)) {
        text = "";
        next();
      }
      const [, found] = /ran: <(.*)>/.exec(shown) ?? [];
      if (found !== undefined) {
        child.kill();
        done(found);
      }
    });
    child.stdin.write('echo rea"dy"\n');
  });
}

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])("completion in %s", (shell) => {
  test.each([
    ["tenon insp\t\r", "inspect"],
    ["tenon call cur\t\r", "call current"],
    ["tenon call current ci\tOslo\r", "call current city=Oslo"],
    ["tenon call current units=m\t\r", "call current units=metric"],
    ["tenon check --client gem\t\r", "check --client gemini"],
    ["tenon types --out not\t\r", "types --out notes.txt"],
  ])("turns %j into %j", async (line, ran) => {
    expect((await typeInShell(shell, line)).trim()).toBe(ran);
  });
});

test("completion evaluates nothing that was typed", async () => {
  for (const shell of Object.keys(SHELLS) as (keyof typeof SHELLS)[]) {
    const ran = await typeInShell(shell, `tenon call $(touch evaluated) cur\t\u0015tenon done\r`);
    expect(ran).toBe("done");
  }
  expect(existsSync(join(project.root, "evaluated"))).toBe(false);
});
