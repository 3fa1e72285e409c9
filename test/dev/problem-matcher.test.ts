/** The task of new projects that shows diagnostics of `tenon dev` as problems in VS Code. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startDev, type DevProcess } from "./dev-process.js";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";

interface Task {
  command: string;
  problemMatcher: {
    pattern: { regexp: string; [field: string]: string | number }[];
    background: { activeOnStart: boolean; beginsPattern: string; endsPattern: string };
  };
}

const templates = resolve(import.meta.dirname, "../../templates");
const { tasks } = JSON.parse(readFileSync(join(templates, "_base/.vscode/tasks.json"), "utf8")) as {
  tasks: Task[];
};
const [task] = tasks;

/** Reads output as VS Code does. Returns the problems of each completed build, the first of them at the start. */
function findProblems(output: string): Record<string, string>[][] {
  if (!task) throw new Error("There is no task.");
  const { pattern, background } = task.problemMatcher;
  const builds: Record<string, string>[][] = [];
  let current: Record<string, string>[] | undefined = background.activeOnStart ? [] : undefined;
  const lines = output.split("\n");
  for (const [index, line] of lines.entries()) {
    if (new RegExp(background.beginsPattern).test(line)) current = [];
    const matches = pattern.map(({ regexp }, offset) => new RegExp(regexp).exec(lines[index + offset] ?? ""));
    if (matches.every((match) => match !== null)) {
      const fields = pattern.flatMap((part, offset) =>
        Object.entries(part)
          .filter(([name]) => name !== "regexp")
          .map(([name, group]) => [name, matches[offset]?.[Number(group)] ?? ""]),
      );
      current?.push(Object.fromEntries(fields) as Record<string, string>);
    }
    if (current && new RegExp(background.endsPattern).test(line)) {
      builds.push(current);
      current = undefined;
    }
  }
  return builds;
}

const GREETER = (greet: string): string => `import { Tool } from "@tenon/runtime";

export class Greeter {
  /** Greets a guest. */
  @Tool({ readOnly: true, openWorld: false })
  ${greet}
}
`;
const FINE = GREETER("greet(name: string): string { return name; }");

let project: ProjectFolder;
let dev: DevProcess;

beforeEach(() => {
  project = projectFolder({ "src/greeter.ts": FINE });
  dev = startDev(project.root, "--port", "0");
});

afterEach(async () => {
  dev.kill();
  await dev.exited;
  project.remove();
});

/** Writes files, and waits until the next build prints this. */
async function edit(files: Record<string, string>, expected: RegExp): Promise<void> {
  const before = dev.log().length;
  project.write(files);
  await dev.waitForOutput(new RegExp(`^[^]{${before},}${expected.source}`));
}

it("the problem matcher finds each diagnostic, until it is fixed", async () => {
  await dev.waitForOutput(/ready in/);
  await edit(
    { "src/greeter.ts": GREETER("greet(name: () => void): string { return ''; }") },
    /keeps serving/,
  );
  const count = `export const count: number = "one";\n`;
  await edit({ "src/greeter.ts": FINE, "src/count.ts": count }, /keeps serving|Reloaded/);
  await edit({ "src/count.ts": "export const count = 1;\n" }, /✓ Reloaded/);
  const builds = findProblems(dev.log());
  expect(builds[0]).toEqual([]);
  expect(builds[1]).toEqual([
    {
      file: "src/greeter.ts",
      line: "6",
      column: "15",
      severity: "error",
      code: "type-function",
      message: expect.stringContaining("Argument `name` of tool `greet` is a function") as string,
    },
  ]);
  expect(builds.at(-2)).toContainEqual({
    file: "src/count.ts",
    line: "1",
    column: "14",
    severity: "error",
    code: "typescript",
    message: "Type 'string' is not assignable to type 'number'. (TS2322)",
  });
  expect(builds.at(-1)).toEqual([]);
  for (const { file = "" } of builds.flat()) expect(existsSync(join(project.root, file))).toBe(true);
});

it("the problem matcher finds a warning in each build, until it is fixed", async () => {
  await dev.waitForOutput(/ready in/);
  await edit({ "src/greeter.ts": FINE.replace("/** Greets a guest. */", "") }, /✓ Reloaded/);
  for (const number of [1, 2])
    await edit({ "src/count.ts": `export const count = ${number};\n` }, /✓ Reloaded/);
  await edit({ "src/greeter.ts": FINE }, /✓ Reloaded/);
  const builds = findProblems(dev.log());
  const warning = {
    file: "src/greeter.ts",
    line: "6",
    column: "3",
    severity: "warning",
    code: "description-missing",
    message: expect.stringContaining("`greet`") as string,
  };
  expect(builds).toEqual([[], [warning], [warning], [warning], []]);
  // The code frame, the hint, and the number are printed only once.
  expect(dev.log().match(/hint|explain|1 warning/g)).toEqual(["hint", "explain", "1 warning"]);
});

it("the task runs the script of every template", () => {
  expect(task?.command).toBe("npm run dev");
  for (const name of ["minimal", "standard", "http", "database", "view"]) {
    const { scripts } = JSON.parse(readFileSync(join(templates, name, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    expect(scripts["dev"]).toBe("tenon dev");
  }
});
