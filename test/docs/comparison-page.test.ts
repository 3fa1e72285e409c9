import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { comparisonChart } from "../bench/compare/chart.mjs";
import { comparisonPage } from "../bench/compare/page.mjs";
import { TABLES, type Results, type RivalResults } from "../bench/compare/results.mjs";
import { RIVALS } from "../bench/compare/rivals.mjs";
import { layOut } from "../bench/report/document.mjs";
import { workspace } from "./pages.js";

const rivalsFolder = join(workspace, "test/bench/rivals");
const stored = JSON.parse(
  readFileSync(join(workspace, "test/bench/compare/results.json"), "utf8"),
) as Results;

/** Creates a framework with these cells. */
function rival(label: string, cells: RivalResults["cells"]): RivalResults {
  const name = label.toLowerCase();
  return { name, label, version: "1.0.0", package: name, site: "https://example.com", node: "20.0.0", cells };
}

/** Creates the results of a run with these frameworks. */
function results(...rivals: RivalResults[]): Results {
  return { date: "2030-01-01", rounds: 3, minutes: 12, machine: ["2 × processor"], rivals };
}

/** Returns the cells of a framework in the rows of the page. */
function rows(page: string, label: string): string[][] {
  return page
    .split("\n")
    .filter((line) => line.startsWith(`| ${label} `))
    .map((line) => line.split("|").map((cell) => cell.trim()));
}

describe("the comparison page", () => {
  test("is what the stored results generate", async () => {
    const path = join(workspace, "packages/docs/reference/comparison.md");
    await expect(await layOut(comparisonPage(stored))).toMatchFileSnapshot(path);
  });

  test.each(["light", "dark"] as const)("has a %s chart of the stored results", async (theme) => {
    const path = join(workspace, `packages/docs/pictures/comparison-${theme}.svg`);
    await expect(comparisonChart(stored, theme)).toMatchFileSnapshot(path);
  });

  test("has each framework in the version of its lock file, with every cell", () => {
    expect(stored.rivals.map(({ name }) => name)).toEqual(RIVALS.map(({ name }) => name));
    const keys = TABLES.flatMap(({ columns }) => columns.map(({ key }) => key)).sort();
    for (const { name, version, cells, package: package_ } of stored.rivals) {
      expect(Object.keys(cells).sort(), name).toEqual(keys);
      if (name === "tenon") continue;
      const lock = JSON.parse(readFileSync(join(rivalsFolder, name, "package-lock.json"), "utf8")) as {
        packages: Record<string, { version?: string }>;
      };
      expect(version, name).toBe(lock.packages[`node_modules/${package_}`]?.version);
    }
  });

  test("includes every folder of a framework", () => {
    const folders = readdirSync(rivalsFolder).filter((each) =>
      existsSync(join(rivalsFolder, each, "package.json")),
    );
    expect(folders.sort()).toEqual(RIVALS.flatMap(({ name }) => (name === "tenon" ? [] : [name])).sort());
  });

  test("marks the best number of each column, even if it isn't Tenon's", () => {
    const page = comparisonPage(
      results(
        rival("Tenon", { coldStartStdio: { value: 80 }, stdioCalls: { value: 50_000 } }),
        rival("Other", { coldStartStdio: { value: 70 }, stdioCalls: { value: 40_000 } }),
      ),
    );
    const [tenon, other] = [rows(page, "Tenon")[0], rows(page, "Other")[0]];
    expect([tenon?.[2], tenon?.[4]]).toEqual(["80", "**50,000**"]);
    expect([other?.[2], other?.[4]]).toEqual(["**70**", "40,000"]);
  });

  test("has a dash and its reason for a cell without a measurement", () => {
    const page = comparisonPage(
      results(rival("Tenon", { coldStartStdio: { absent: "It has no stdio transport." } })),
    );
    expect(rows(page, "Tenon")[0]?.slice(2, 4)).toEqual(["– (1)", "– (2)"]);
    expect(page).toContain("\n1. It has no stdio transport.\n2. It was not measured.\n");
  });
});
