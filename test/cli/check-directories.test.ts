import { run } from "@tenon/cli";
import { afterEach, describe, expect, test } from "vitest";
import { projectFolder, type ProjectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const TOOL = `@Tool({ title: "Get the number", readOnly: true, openWorld: false })`;

const CLOCK = `
  import { Tool } from "@tenon/runtime";
  export class Clock {
    /** Returns the time. */
    ${TOOL} time(): number { return 12; }
  }`;

let project: ProjectFolder;
afterEach(() => project.remove());

async function check(
  files: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  project = projectFolder({ "src/clock.ts": CLOCK, ...files });
  const terminal = recordingTerminal(project.root);
  const code = await run(["check", ...args], terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
}

describe("tenon check --directory", () => {
  test("succeeds for a server that follows the rules", async () => {
    const { code, out } = await check({}, "--directory", "anthropic", "--directory", "glama");
    expect(out).not.toContain("directory-");
    expect(code).toBe(0);
  });

  test("fails for errors, and names the page of each", async () => {
    const { code, out } = await check(
      { "src/clock.ts": CLOCK.replace(TOOL, "@Tool()") },
      "--directory",
      "openai",
    );
    expect(out).toContain("error  directory-effect-undeclared");
    expect(out).toContain("more  npx tenon explain directory-effect-undeclared");
    expect(code).toBe(1);
  });

  test("succeeds despite warnings", async () => {
    const { code, out } = await check({}, "--directory", "openai");
    expect(out).toContain("warning  directory-domain-unverified");
    expect(code).toBe(0);
  });

  test("accepts the response to OpenAI's challenge", async () => {
    const { out } = await check(
      {
        "src/server.ts": `
          import { defineServer } from "@tenon/runtime";
          import { openAiChallenge, routes } from "@tenon/runtime/routes";
          export default defineServer({ http: { routes: routes(openAiChallenge(process.env["TOKEN"])) } });`,
      },
      "--directory",
      "openai",
    );
    expect(out).not.toContain("directory-");
  });

  test("does not concern tools that are only for views", async () => {
    const source = `import { Tool } from "@tenon/runtime";
      export class Clock {
        /** Returns the time. */
        @Tool({ title: "Get the time", readOnly: true, openWorld: false, view: "./clock.html" }) time(): number { return 12; }
        @Tool({ visibility: ["app"] }) reset(): void {}
      }`;
    const files = { "src/clock.ts": source, "src/clock.html": "<!doctype html><title>Clock</title>" };
    const { code, out } = await check(files, "--directory", "anthropic", "--directory", "glama");
    expect(out).not.toContain("directory-");
    expect(code).toBe(0);
  });

  test("names a missing name in package.json", async () => {
    const files = { "package.json": `{ "version": "1.0.0", "description": "The time.", "type": "module" }` };
    const { code, out } = await check(files, "--directory", "registry");
    expect(out).toContain("package.json has no name.");
    expect(code).toBe(1);
    const terminal = recordingTerminal(project.root);
    expect(await run(["package", "--npx", "--registry", "--docker"], terminal)).toBe(1);
    expect(terminal.stderr()).toContain("package.json has no name.");
    expect(terminal.stderr()).not.toContain("bug in Tenon");
  });

  test("rejects an unknown directory, with the nearest name", async () => {
    const { code, err } = await check({}, "--directory", "antropic");
    expect(err).toContain("Did you mean `anthropic`?");
    expect(code).toBe(2);
  });

  test("is required for the rules of directories to apply", async () => {
    const { code, out } = await check({ "src/clock.ts": CLOCK.replace(TOOL, "@Tool()") });
    expect(out).not.toContain("directory-");
    expect(code).toBe(0);
  });
});

describe("suggestions", () => {
  const advise = async (members: string, types = ""): Promise<string> => {
    const source = `import { Tool } from "@tenon/runtime"; ${types} export class Clock { ${members} }`;
    const { out } = await check({ "src/clock.ts": source });
    return out.replaceAll(/\s+/g, " ");
  };

  test("name the hints that matter to all clients", async () => {
    const out = await advise(`/** Returns the time. */ @Tool() time(): number { return 12; }`);
    expect(out).toContain("sets neither `readOnly` nor `destructive`");
    expect(out).toContain("does not set `openWorld`");
  });

  test("name lists of any length, unless an argument or a tag limits them", async () => {
    const list = (name: string, parameters: string, type = "string[]"): string =>
      `/** Lists. */ ${TOOL} ${name}(${parameters}): ${type} { return []; }`;
    const out = await advise(
      [list("all", ""), list("some", "limit = 10"), list("few", "", "Few")].join("\n"),
      "/** @maxItems 5 */ type Few = string[];",
    );
    expect(out.match(/tool \w+ - returns a list of any length/g)).toEqual([
      "tool all - returns a list of any length",
    ]);
  });

  test("name arguments that a model can only guess", async () => {
    const out = await advise(`/** Returns it. */ ${TOOL} read(apiKey: string): string { return apiKey; }`);
    expect(out).toContain("asks the model for `apiKey`, which it can only guess");
  });

  test("name instructions and descriptions that clients cut off", async () => {
    const instructions = "x".repeat(3000);
    const server = `import { defineServer } from "@tenon/runtime"; export default defineServer({ instructions: "${instructions}" });`;
    const clock = CLOCK.replace("Returns the time.", `Returns the time. ${"And so on. ".repeat(200)}`);
    const { out } = await check({ "src/clock.ts": clock, "src/server.ts": server });
    const text = out.replaceAll(/\s+/g, " ");
    expect(text).toContain("has instructions of 3000 characters. Claude Code reads only the first 2048");
    expect(text).toMatch(/tool time - has a description of 2\d{3} characters/);
  });

  test("omit lists with a cursor", async () => {
    const out = await advise(
      `/** Lists. */ ${TOOL} list(after: Cursor): Page<string> { return after.slice([]); }`,
      'import type { Cursor, Page } from "@tenon/runtime";',
    );
    expect(out).not.toContain("returns a list of any length");
  });

  test("explain when not to use the search mode", async () => {
    const server = `import { defineServer } from "@tenon/runtime"; export default defineServer({ toolSearch: true });`;
    const { out } = await check({ "src/clock.ts": CLOCK, "src/server.ts": server });
    expect(out.replaceAll(/\s+/g, " ")).toContain("has `toolSearch`, but only 1 tools:");
  });

  test("name too many tools", async () => {
    const tools = Array.from(
      { length: 41 },
      (_, index) => `/** Returns it. */ ${TOOL} tool${index}(): number { return 1; }`,
    );
    expect(await advise(tools.join("\n"))).toContain("has 41 tools");
  });
});
