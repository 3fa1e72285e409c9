/** `tenon view`: pictures of a view, without a model or an account. */
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ProjectFolder, projectFolder, tsconfig } from "../support/project-folder.js";
import { thirdParty } from "../third-party/installed.js";
import { startBrowser } from "./browser.js";
import { compareFile, SITE_PICTURES } from "./pictures.js";

const VIEW = `
import type { ViewProps } from "@tenon/runtime/view";
import type { Weather } from "./weather.js";
export default function Forecast({ result }: ViewProps<Weather, "forecast">) {
  return <main style={{ height: "100px" }}>{result?.celsius} °C</main>;
}`;

const program = resolve(import.meta.dirname, "../../packages/cli/bin/tenon.js");

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder(
    {
      "tsconfig.json": tsconfig({ lib: ["es2023", "dom"], jsx: "react-jsx", jsxImportSource: "preact" }),
      "src/weather.ts": `
        import { Tool } from "@tenon/runtime";
        export class Weather {
          /** The forecast. */
          @Tool({ readOnly: true, view: "./forecast.view.tsx" })
          forecast(city: string): { celsius: number } { return { celsius: city.length }; }
          /** Without a view. */
          @Tool({ readOnly: true }) list(): string { return "list"; }
        }`,
      "src/forecast.view.tsx": VIEW,
    },
    ["@tenon", "preact", "@types"],
  );
});
afterAll(() => project.remove());

function view(args: string[], folder = "."): { code: number | null; out: string; err: string } {
  // A separate process, since a process keeps the modules of a server that it has loaded.
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "view", ...args], {
    cwd: join(project.root, folder),
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  });
  return { code: status, out: stdout, err: stderr };
}

/** Returns the width and the height in the header of a PNG file. */
function getSize(path: string): [width: number, height: number] {
  const file = readFileSync(join(project.root, path));
  expect(file.subarray(1, 4).toString()).toBe("PNG");
  return [file.readUInt32BE(16), file.readUInt32BE(20)];
}

test("tenon view explains that Playwright is missing", () => {
  const { code, err } = view(["forecast"]);
  expect(code).toBe(1);
  expect(err).toContain("Install it: npm install --save-dev playwright-core");
  symlinkSync(thirdParty("playwright-core"), join(project.root, "node_modules/playwright-core"));
});

test("tenon view saves a picture for each theme, as high as the view", () => {
  const { code, out, err } = view(["forecast", "city=Oslo", "--width", "400", "--out", "pictures"]);
  expect({ code, out, err }).toEqual({
    code: 0,
    out: "pictures/forecast-light.png\npictures/forecast-dark.png\n",
    err: "",
  });
  for (const theme of ["light", "dark"])
    expect(getSize(`pictures/forecast-${theme}.png`)).toEqual([800, 200]);
});

test("tenon view in a folder of the project saves pictures there, and reports a failed call", () => {
  const { code, out, err } = view(["forecast", "--out", "pictures"], "src");
  expect({ code, out }).toEqual({
    code: 0,
    out: "pictures/forecast-light.png\npictures/forecast-dark.png\n",
  });
  expect(err).toBe(
    "The tool `forecast` failed, so the view shows an error:\n" +
      'Invalid arguments for tool "forecast": missing argument `city` (a string).\n',
  );
  expect(getSize("src/pictures/forecast-light.png")).toEqual([1280, 200]);
});

test("tenon view explains that it cannot answer the questions of a tool", () => {
  const sources = readFileSync(join(project.root, "src/weather.ts"), "utf8");
  const asking = `async forecast(ctx: Context): Promise<{ celsius: number }> { return ctx.ask<{ celsius: number }>("How cold?"); }`;
  project.write({
    "src/weather.ts": sources
      .replace("{ Tool }", "{ Tool, type Context }")
      .replace(/forecast\(city.*\n/, `${asking}\n`),
  });
  const { code, err } = view(["forecast"]);
  project.write({ "src/weather.ts": sources });
  expect(err).toContain(
    'error  `forecast` cannot be called: The client does not declare the capability "elicitation',
  );
  expect(err).toContain("hint   To show a call that requests input, record one");
  expect(code).toBe(1);
});

test("tenon view shows a recorded call", () => {
  const lines = [
    { tenonRecording: 1, startedAt: "2026-11-27T09:00:00.000Z", project: "weather", transport: "stdio" },
    {
      ms: 1,
      from: "client",
      message: {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "forecast", arguments: { city: "Oslo" } },
      },
    },
    {
      ms: 2,
      from: "server",
      message: { jsonrpc: "2.0", id: 1, result: { content: [], structuredContent: { celsius: -30 } } },
    },
  ];
  project.write({ "session.jsonl": `${lines.map((line) => JSON.stringify(line)).join("\n")}\n` });
  expect(view(["forecast", "--recording", "session.jsonl"])).toMatchObject({ code: 0, err: "" });
  const { code, err } = view(["forecast", "--recording", "none.jsonl"]);
  expect(code).toBe(1);
  expect(err).toContain("Record a session: `tenon dev --record`.");
});

test.each([
  ["an error", `console.error("It broke.")`, "light: It broke."],
  [
    "a blocked request",
    `void fetch("https://example.com/").catch(() => 0)`,
    "violates the following Content Security",
  ],
])("tenon view fails for a view with %s", (_name, statement, message) => {
  project.write({ "src/forecast.view.tsx": VIEW.replace("  return", `  ${statement};\n  return`) });
  const { code, err } = view(["forecast", "city=Oslo"]);
  expect(err).toContain(message);
  expect(code).toBe(1);
  project.write({ "src/forecast.view.tsx": VIEW });
});

test.each([
  ["list", "The tool `list` has no view."],
  ["other", "There is no tool `other`."],
])("tenon view rejects %s", (tool, message) => {
  const { code, err } = view([tool]);
  expect({ code, err }).toEqual({ code: 2, err: `error  ${message}\nhint   Tools with views: forecast.\n` });
});

test("the pictures in the documentation show the view of the example", async () => {
  const example = resolve(import.meta.dirname, "../../examples/expenses");
  const copy = projectFolder({}, ["@tenon", "preact", "@types"]);
  for (const name of ["src", "package.json", "tsconfig.json"])
    cpSync(join(example, name), join(copy.root, name), { recursive: true });
  symlinkSync(thirdParty("playwright-core"), join(copy.root, "node_modules/playwright-core"));
  const args = [program, "view", "overview", "month=2026-11", "--out", "."];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: copy.root, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const browser = await startBrowser();
  const page = await browser.newPage();
  for (const theme of ["light", "dark"]) {
    const taken = readFileSync(join(copy.root, `overview-${theme}.png`));
    await compareFile(page, taken, `view-${theme}.webp`, SITE_PICTURES);
  }
  await browser.close();
  copy.remove();
});
