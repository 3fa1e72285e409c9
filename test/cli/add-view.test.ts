/** `tenon add view`: the view compiles, and the rest of the project keeps its formatting. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildProject, run } from "@tenon/cli";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ProjectFolder, projectFolder } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const TSCONFIG = `{
  // As in the templates
  "compilerOptions": {
    "target": "es2022",
    "lib": ["es2023"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["src"]
}
`;

let project: ProjectFolder;
beforeEach(() => {
  project = projectFolder({ "tsconfig.json": TSCONFIG });
});
afterEach(() => project.remove());

const read = (path: string): string => readFileSync(join(project.root, path), "utf8");

async function add(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["add", "view", ...args], terminal);
  return { code, out: terminal.stdout(), err: terminal.stderr() };
}

const write = (decorator: string, rest = "forecast(city: string): { celsius: number }"): void => {
  project.write({
    "src/weather.ts": `import { Tool } from "@tenon/runtime";

export class Weather {
  /** The forecast. */
  ${decorator}
  ${rest} {
    return ${rest.includes("celsius") ? "{ celsius: city.length }" : "city"};
  }
}
`,
  });
};

describe("a new view", () => {
  test("is built without further changes", async () => {
    write("@Tool({ readOnly: true })");
    const { code, out, err } = await add("forecast");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const shown = [out, read("src/forecast.view.tsx"), read("src/weather.ts"), read("tsconfig.json")];
    await expect(shown.join("\n")).toMatchFileSnapshot("add/view.txt");
    const { compilation, files } = await buildProject({ root: project.root });
    expect(compilation.diagnostics).toEqual([]);
    expect(files?.has("view-forecast.js")).toBe(true);
  });

  test.each([
    ["@Tool()", '@Tool({ view: "./forecast.view.tsx" })'],
    ["@Tool({})", '@Tool({ view: "./forecast.view.tsx" })'],
    [
      '@Tool({\n    title: "Forecast",\n  })',
      '@Tool({\n    title: "Forecast",\n    view: "./forecast.view.tsx",\n  })',
    ],
  ])("is named in the decorator %j", async (before, after) => {
    write(before, "forecast(city: string): string");
    expect((await add("forecast")).code).toBe(0);
    expect(read("src/weather.ts")).toContain(`  ${after}\n`);
    const { compilation } = await buildProject({ root: project.root });
    expect(compilation.diagnostics).toEqual([]);
  });

  test("can be in another file", async () => {
    write("@Tool()");
    expect((await add("forecast", "--file", "src/views/chart.tsx")).code).toBe(0);
    expect(read("src/weather.ts")).toContain('view: "./views/chart.tsx"');
    expect(read("src/views/chart.tsx")).toContain('from "../weather.js"');
  });
});

describe("no view is written", () => {
  test.each([
    [["forecast", "--file", "forecast.view.tsx"], "forecast.view.tsx cannot be the file of a view."],
    [["other"], "There is no tool `other`."],
    [[], "The name of the tool is missing."],
  ])("for %j", async (args, message) => {
    write("@Tool()");
    const { code, err } = await add(...args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) as string });
    expect(existsSync(join(project.root, "src/forecast.view.tsx"))).toBe(false);
  });

  test("for a tool whose options are elsewhere, or that has a view", async () => {
    write("@Tool(OPTIONS)");
    project.write({ "src/weather.ts": `${read("src/weather.ts")}const OPTIONS = { readOnly: true };\n` });
    expect((await add("forecast")).err).toContain('Add `view: "./forecast.view.tsx"` to them');
    write("@Tool()");
    expect((await add("forecast")).code).toBe(0);
    expect((await add("forecast")).err).toContain("The tool `forecast` already has the view `forecast`.");
  });
});
