import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFigures } from "../bench/report/landing-figures.mjs";
import { workspace } from "./pages.js";

describe("the landing page", () => {
  test("shows the figures of the last benchmark", async () => {
    const path = join(workspace, "packages/docs/index.md");
    const results = readFileSync(join(workspace, "test/bench/RESULTS.md"), "utf8");
    await expect(withFigures(readFileSync(path, "utf8"), results)).toMatchFileSnapshot(path);
  });
});
