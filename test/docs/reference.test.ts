/** Pages that are generated from sources are up to date: `-u` writes them. */
import { join } from "node:path";
import { format } from "prettier";
import { expect, test } from "vitest";
import { workspace } from "./pages.js";
import { sourceFile } from "./reference/declarations.js";
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

/** Types without a section, and the page that describes each. */
const DESCRIBED_ELSEWHERE: Record<string, string> = {
  JsonSchema: "any JSON Schema",
  Routes: "created by `routes`, which the option names",
  FileLinks: "created by `fileLinks`, which the option names",
  ServerCard: "created by `serverCard`, which the option names",
};

test("every exported type in a signature of these pages has a section on one of them", async () => {
  const pages = (await Promise.all(Object.values(PAGES).map(async (make) => make()))).join("\n");
  const sections = new Set([...pages.matchAll(/^## `?(\w+)`?$/gm)].map(([, name]) => name));
  const signatures = [
    ...pages.matchAll(/^`(\w+\??[:(<].*|(?:type|function|new) .*)`$|"a signature"\n([^]*?)```/gm),
  ]
    .map(([, line, block]) => line ?? block ?? "")
    .join("\n");
  const names = sourceFile("packages/runtime/src/index.ts")
    .getExportDeclarations()
    // The specification describes the types of the protocol.
    .filter((each) => !each.getModuleSpecifierValue()?.endsWith("/specification.js"))
    .flatMap((each) => each.getNamedExports().map((one) => one.getName()));
  const missing = names.filter(
    (name) =>
      new RegExp(String.raw`\b${name}\b`).test(signatures) &&
      !sections.has(name) &&
      !DESCRIBED_ELSEWHERE[name],
  );
  expect(missing).toEqual([]);
});
