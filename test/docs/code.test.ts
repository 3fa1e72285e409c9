import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";
import { compilePage } from "./page-code.js";
import { pages, workspace } from "./pages.js";

describe("code of pages", () => {
  const project = createScratchProject("weather");
  afterAll(() => project.remove());

  test.each(pages())("$path", async ({ path, text }) => {
    const compiled = await compilePage(text, project);
    expect(compiled.problems.map((each) => `${path}:${each.line}\n${each.text}`).join("\n")).toBe("");
    await expect(compiled.text).toMatchFileSnapshot(join(workspace, path));
  });
});
