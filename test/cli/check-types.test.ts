import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterEach, describe, expect, it } from "vitest";
import { projectFolder, tsconfig, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

let project: ProjectFolder;
afterEach(() => project.remove());

const GREETER = `
import { Tool } from "@tenon/runtime";

export class Greeter {
  /** Greets a guest by name. */
  @Tool({ readOnly: true, openWorld: false })
  greet(name: string): string {
    return name;
  }
}
`;
const TSCONFIG = JSON.stringify({
  extends: "../tsconfig.json",
  include: [".", "../.tenon/server.d.ts"],
});
const CONNECT = `import { connect } from "@tenon/cli/testing";
const server = await connect(import.meta.url);
`;

async function check(files: Record<string, string>): Promise<{ exitCode: number; stderr: string }> {
  project = projectFolder({ "src/greeter.ts": GREETER, ...files });
  const terminal = recordingTerminal(project.root);
  const exitCode = await run(["check"], terminal);
  return { exitCode, stderr: terminal.stderr() };
}

describe("tenon check", () => {
  it("accepts tests that call tools as their methods are declared", async () => {
    const test = `${CONNECT}export const text: string = await server.tools.greet({ name: "Ada" });`;
    const { exitCode, stderr } = await check({
      "test/tsconfig.json": TSCONFIG,
      "test/greeter.test.ts": test,
    });
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    expect(existsSync(join(project.root, ".tenon/server.d.ts"))).toBe(true);
  });

  it("accepts tests that pass the cursor of a page, and compare a missing value with null", async () => {
    const source = `import { Tool, type Cursor, type Page } from "@tenon/runtime";
export class Lists {
  /** Lists. */
  @Tool({ readOnly: true, openWorld: false })
  named(after: Cursor, kind: string, size = 10): Page<string> {
    return after.slice([kind], size);
  }
  /** Searches. */
  @Tool({ readOnly: true, openWorld: false })
  search(options: { text: string }, cursor: Cursor): Page<string> {
    return cursor.slice([options.text]);
  }
  /** Finds. */
  @Tool({ readOnly: true, openWorld: false })
  find(id: number): { id: number } | undefined {
    return id === 0 ? undefined : { id };
  }
}
`;
    const test = `${CONNECT}const { nextCursor } = await server.tools.named({ kind: "a" });
await server.tools.named({ after: nextCursor, kind: "a", size: 1 });
await server.tools.search({ text: "a", cursor: nextCursor });
// @ts-expect-error A cursor is text.
await server.tools.search({ text: "a", cursor: 1 });
const found: { id: number } | null = await server.tools.find({ id: 1 });
`;
    const { exitCode, stderr } = await check({
      "src/greeter.ts": source,
      "test/tsconfig.json": TSCONFIG,
      "test/lists.test.ts": test,
    });
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
  });

  it.each(["test", "tests", "__tests__"])("fails for a type error in %s", async (folder) => {
    const test = `${CONNECT}await server.tools.greet({ name: 1 });`;
    const { exitCode, stderr } = await check({
      [`${folder}/tsconfig.json`]: TSCONFIG,
      [`${folder}/greeter.test.ts`]: test,
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${folder}/greeter.test.ts:3:28  error  typescript`);
    expect(stderr).toContain("(TS2322)");
  });

  it("fails for a type error in a source", async () => {
    const { exitCode, stderr } = await check({ "src/count.ts": `export const count: number = "one";` });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("src/count.ts:1:14  error  typescript");
  });

  it("checks tests with their own options", async () => {
    const tsconfig = JSON.stringify({ ...JSON.parse(TSCONFIG), compilerOptions: { noImplicitAny: false } });
    const test = `export const twice = (value) => value * 2;`;
    const files = { "test/tsconfig.json": tsconfig, "test/twice.test.ts": test };
    expect(await check(files)).toEqual({ exitCode: 0, stderr: "" });
  });

  it("reports a tsconfig.json of tests that cannot be read, and accepts one without files", async () => {
    const { exitCode, stderr } = await check({ "test/tsconfig.json": "{" });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("test/tsconfig.json:1:2  error  config-unreadable");
    project.remove();
    const empty = JSON.stringify({ extends: "../tsconfig.json", include: ["*.test.ts"] });
    expect(await check({ "test/tsconfig.json": empty })).toEqual({ exitCode: 0, stderr: "" });
  });

  it.each(["check", "build"])(
    "checks tests among the sources against the current tools (%s)",
    async (name) => {
      const include = ["src", "test", ".tenon/server.d.ts"];
      const test = (tool: string): string =>
        `${CONNECT}export const text: string = await server.tools.${tool}({ name: "Ada" });`;
      project = projectFolder({
        "tsconfig.json": JSON.stringify({ ...(JSON.parse(tsconfig({})) as object), include }),
        "src/greeter.ts": GREETER,
        "test/greeter.test.ts": test("greet"),
      });
      const checkTypes = async (): Promise<string> => {
        const terminal = recordingTerminal(project.root);
        const exitCode = await run([name], terminal);
        return `${exitCode} ${terminal.stderr()}`;
      };
      expect(await checkTypes()).toBe("0 ");
      project.write({ "src/greeter.ts": GREETER.replace("greet(", "welcome(") });
      expect(await checkTypes()).toMatch(/^1 test\/greeter\.test\.ts:3:\d+ .*\n.*'greet' does not exist/);
      project.write({ "test/greeter.test.ts": test("welcome") });
      expect(await checkTypes()).toBe("0 ");
    },
  );

  it("ignores tests that import the build, which may not exist", async () => {
    const test = `import { application } from "../dist/app.js";\nexport const name: number = application;`;
    const files = { "test/tsconfig.json": TSCONFIG, "test/built.test.ts": test };
    expect(await check(files)).toEqual({ exitCode: 0, stderr: "" });
  });
});
