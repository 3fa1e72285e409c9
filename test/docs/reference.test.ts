/** Pages that are made of sources are what those say now: `-u` writes them. */
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { workspace } from "./pages.js";
import * as made from "./reference/pages.js";
import { ownTags, shownTags } from "./reference/tags.js";

const PAGES: Record<string, () => string | Promise<string>> = {
  decorators: made.decoratorsPage,
  context: made.contextPage,
  configuration: made.configurationPage,
  testing: made.testingPage,
};

test.each(Object.entries(PAGES))("reference/%s.md matches the sources", async (name, make) => {
  const text = await format(await make(), {
    parser: "markdown",
    printWidth: 110,
    embeddedLanguageFormatting: "off",
  });
  await expect(text).toMatchFileSnapshot(join(workspace, "packages/docs/reference", `${name}.md`));
});

test("every tag is on the page of tags", () => {
  expect(shownTags().sort()).toEqual(ownTags().sort());
});
