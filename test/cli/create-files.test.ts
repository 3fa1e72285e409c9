/** Files of a new project and messages to its author, for each template and package manager. */
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentName } from "package-manager-detector";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
// Internal: single steps of `create`, which installs nothing here.
import type { CreateContext, Progress } from "../../packages/cli/src/create/context.js";
import { createManagerSettings } from "../../packages/cli/src/create/manager-settings.js";
import { PACKAGE_MANAGERS } from "../../packages/cli/src/create/package-manager.js";
import { createPlainProgress } from "../../packages/cli/src/create/progress.js";
import { copyProject, showNextSteps } from "../../packages/cli/src/create/steps.js";
import { findTemplate, findTemplates } from "../../packages/cli/src/create/templates.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const templates = findTemplates();

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "tenon-files-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const silent: Progress = {
  intro() {},
  note() {},
  task: (_label, work) => work(),
  block() {},
  outro() {},
};

async function project(template: string, packageManager: AgentName = "npm", progress = silent) {
  const folder = join(cwd, "made");
  const context = {
    folder,
    shownFolder: "made",
    name: "made",
    template: findTemplate(templates, template),
    tenon: { version: "1.2.3" },
    install: true,
    packageManager,
    progress,
    signal: new AbortController().signal,
  } satisfies Partial<CreateContext>;
  await copyProject(context);
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");
  return { folder, context, read };
}

interface Workflow {
  jobs: { check: { steps: { uses?: string; run?: string }[] } };
}

function commandsOfWorkflow(text: string): string[] {
  return (parse(text) as Workflow).jobs.check.steps.flatMap(({ run }) => run ?? []);
}

describe.each(templates.map(({ name }) => name))("a project with the template %s", (name) => {
  test("contains everything that a project needs", async () => {
    const { folder } = await project(name);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll("\\", "/"),
      );
    await expect(`${files.sort().join("\n")}\n`).toMatchFileSnapshot(`create/${name}-files.txt`);
  });

  test("reports the next steps that apply", async () => {
    const terminal = recordingTerminal(cwd);
    const { context } = await project(name);
    await showNextSteps({ ...context, progress: createPlainProgress(terminal.out) });
    const screen = terminal.stdout().replaceAll(cwd, "/home/ada");
    await expect(screen).toMatchFileSnapshot(`create/${name}-screen.txt`);
  });

  test("names the commands of another package manager throughout", async () => {
    const { read } = await project(name, "pnpm");
    for (const file of ["README.md", "AGENTS.md"]) {
      const page = read(file);
      expect(page, file).toContain("pnpm run test");
      expect(page, file).not.toMatch(/\bnpx |\bnpm (?!create)/);
    }
  });
});

describe("editor and machine settings of a new project", () => {
  test("have a unique key and are not committed", async () => {
    const { folder, read } = await project("http");
    const [, key = ""] = /^API_KEYS=me:(\w{48})$/m.exec(read(".env")) ?? [];
    expect(key).not.toBe("");
    expect(read(".env.example")).not.toContain(key);
    expect(statSync(join(folder, ".env")).mode & 0o077).toBe(0);
    for (const ignored of [".gitignore", ".dockerignore"]) expect(read(ignored)).toMatch(/^\.env$/m);
    rmSync(folder, { recursive: true });
    expect((await project("http")).read(".env")).not.toContain(key);
  });

  test("are created even if the template only has a sample of them", async () => {
    const { folder } = await project("minimal");
    expect(readdirSync(folder)).not.toContain(".env");
  });
});

test("the container is built with the chosen package manager", async () => {
  const { read } = await project("http", "pnpm");
  expect(read("Dockerfile")).toContain("RUN npm install --global pnpm && pnpm install --frozen-lockfile\n");
  expect(read("Dockerfile")).toContain("RUN pnpm run build\n");
});

test.each(PACKAGE_MANAGERS)("CI checks a project with %s as it is installed", async (manager) => {
  const { read } = await project("minimal", manager);
  const commands = commandsOfWorkflow(read(".github/workflows/ci.yml"));
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  for (const command of commands.slice(1, 3)) {
    const [, script = ""] = /(?:run )?(\w+)$/.exec(command) ?? [];
    expect(scripts).toHaveProperty(script);
  }
  expect(commands).toMatchSnapshot();
});

test("npm is configured not to ask about unneeded install scripts", async () => {
  const { read } = await project("minimal", "npm");
  expect(JSON.parse(read("package.json"))).toMatchObject({
    allowScripts: { esbuild: false, fsevents: false },
  });
});

test("CI and containers use the project's version of Yarn", () => {
  expect(createManagerSettings("yarn", {}, "yarn/4.18.1 npm/? node/v20").fields).toEqual({
    packageManager: "yarn@4.18.1",
  });
  expect(createManagerSettings("yarn", {}, "yarn/1.22.22 npm/? node/v20").fields).toEqual({});
});
