import { join } from "node:path";
import { format } from "prettier";
import { afterAll, describe, expect, test } from "vitest";
import { createScratchProject } from "../support/scratch-project.js";
import { compilePage } from "./page-code.js";
import { pages, workspace } from "./pages.js";
import { tagsPage } from "./reference/tags.js";

/** `test/mounting` runs its recipes in the real frameworks. */
const RUN_ELSEWHERE = "packages/docs/reference/mounting.md";

describe("the code of pages", () => {
  const project = createScratchProject("weather");
  afterAll(() => project.remove());

  // The first test also starts the compiler, which takes a second.
  test("in reference/tags.md shows what the compiler derives from tags", async () => {
    const text = await format(tagsPage(project), { parser: "markdown", printWidth: 110 });
    await expect(text).toMatchFileSnapshot(join(workspace, "packages/docs/reference/tags.md"));
  });

  test.each(pages().filter(({ path }) => path !== RUN_ELSEWHERE))(
    "in $path compiles",
    async ({ path, text }) => {
      const compiled = await compilePage(text, project);
      expect(compiled.problems.map((each) => `${path}:${each.line}\n${each.text}`).join("\n")).toBe("");
      await expect(compiled.text).toMatchFileSnapshot(join(workspace, path));
    },
  );
});
