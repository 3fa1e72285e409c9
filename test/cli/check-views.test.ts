/** `tenon check` on views: their types, and the changes that the contract records. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "@tenon/cli";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ProjectFolder, projectFolder, tsconfig } from "../support/project-folder.js";
import { recordingTerminal } from "../support/recording-terminal.js";

const CHART = `{ file: "./chart.html", csp: { connectDomains: ["https://a.example.com"] }, permissions: ["camera"] }`;
const WEATHER = `
import { Tool } from "@tenon/runtime";
export class Weather {
  /** The forecast. */
  @Tool({ readOnly: true, view: "./forecast.view.tsx" })
  forecast(city: string): { celsius: number } { return { celsius: city.length }; }
  /** The chart. */
  @Tool({ readOnly: true, view: ${CHART} })
  chart(): number[] { return [1]; }
  /** The map. */
  @Tool({ readOnly: true }) map(): string { return "map"; }
}`;
const VIEW = `
import type { ViewProps } from "@tenon/runtime/view";
import type { Weather } from "./weather.js";
export default function Forecast({ result }: ViewProps<Weather, "forecast">) {
  return <p>{result?.celsius} °C</p>;
}`;

let project: ProjectFolder;
beforeAll(() => {
  project = projectFolder({
    "tsconfig.json": tsconfig({ lib: ["es2023", "dom"], jsx: "react-jsx", jsxImportSource: "preact" }),
    "src/chart.html": "<!doctype html><title>Chart</title>",
  });
});
afterAll(() => project.remove());
beforeEach(async () => {
  project.write({ "src/weather.ts": WEATHER, "src/forecast.view.tsx": VIEW });
  expect((await check("--update")).code).toBe(0);
});

async function check(...options: string[]): Promise<{ code: number; text: string }> {
  const terminal = recordingTerminal(project.root);
  const code = await run(["check", ...options], terminal);
  const [, text = ""] = /Contract[^\n]*\n\n([^]*?)\n\n?(?:Clients|\S)/.exec(terminal.stdout()) ?? [];
  return { code, text: text + terminal.stderr() };
}

const change = (file: string, text: string, replacement: string): void => {
  const before = file === "weather.ts" ? WEATHER : VIEW;
  expect(before).toContain(text);
  writeFileSync(join(project.root, "src", file), before.replace(text, replacement));
};

test("a view that does not fit its tool fails the check", async () => {
  change("weather.ts", "{ celsius: number } { return { celsius", "{ kelvin: number } { return { kelvin");
  const { code, text } = await check();
  expect(code).toBe(1);
  expect(text).toContain("Property 'celsius' does not exist on type '{ kelvin: number; }'");
});

test("a view of two tools whose types name one of them fails the check, and the hint names both", async () => {
  change(
    "weather.ts",
    `@Tool({ readOnly: true }) map(): string { return "map"; }`,
    `@Tool({ readOnly: true, view: "./forecast.view.tsx" }) map(): { celsius: number } { return { celsius: 1 }; }`,
  );
  const { code, text } = await check();
  expect(code).toBe(1);
  expect(text).toContain("The view shows the tool `map`, but its types are those of `forecast`.");
  expect(text).toContain('Declare the parameter as `ViewProps<Weather, "forecast" | "map">`');
});

test.each([
  ["no change", "weather.ts", "The map", "The map", 0, "No change that a client can see."],
  [
    "other text in a view",
    "forecast.view.tsx",
    "°C",
    "degrees",
    0,
    "view forecast  looks or behaves differently",
  ],
  [
    "another origin",
    "weather.ts",
    "https://a.example.com",
    "https://b.example.com",
    0,
    "view chart  may now reach https://b.example.com (connectDomains)",
  ],
  ["fewer permissions", "weather.ts", `["camera"]`, "[]", 0, "view chart  may no longer request camera"],
  ["a new view", "weather.ts", "true }) map", `true, view: "./chart2.html" }) map`, 0, "view chart2  is new"],
  [
    "a removed view",
    "weather.ts",
    `, view: ${CHART}`,
    "",
    1,
    "view chart  was removed: conversations that show it cannot load it again",
  ],
  [
    "a tool for the view alone",
    "weather.ts",
    "true }) map",
    `true, visibility: ["app"] }) map`,
    1,
    "tool map  can no longer be called by models",
  ],
])("the contract reports %s", async (_name, file, text, replacement, exitCode, reported) => {
  project.write({ "src/chart2.html": "<!doctype html><title>Chart 2</title>" });
  change(file, text, replacement);
  const { code, text: report } = await check();
  expect(report.replaceAll(/ +/g, " ")).toContain(reported.replaceAll(/ +/g, " "));
  expect(code).toBe(exitCode);
});

test("a tool that is only for views does not count toward the tokens of models", async () => {
  change("weather.ts", `@Tool({ readOnly: true }) map()`, `@Tool({ visibility: ["app"] }) map()`);
  const terminal = recordingTerminal(project.root);
  await run(["check"], terminal);
  const sizes = [...terminal.stdout().matchAll(/^(chart|forecast|map|all) +(\d+) +(\d+) *(.*)$/gm)];
  const byName = new Map(sizes.map(([, name, bytes, tokens, note]) => [name, { bytes, tokens, note }]));
  expect(byName.get("map")).toMatchObject({ tokens: "0", note: "only for views" });
  const [chart, forecast] = [byName.get("chart"), byName.get("forecast")];
  expect(Number(byName.get("all")?.bytes)).toBe(Number(chart?.bytes) + Number(forecast?.bytes));
});
