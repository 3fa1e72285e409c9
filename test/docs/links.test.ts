import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { githubSlug } from "../../packages/docs/.vitepress/github-slug.js";
import { groups } from "../../packages/docs/.vitepress/navigation.js";
import { getSummary } from "../../packages/docs/.vitepress/page-text.js";
import { markdownTwins } from "../../packages/docs/.vitepress/markdown-twins.js";
import { siteLink, sitePath } from "../../packages/docs/.vitepress/site-paths.js";
import { removeBlocks } from "./blocks.js";
import { pages, workspace } from "./pages.js";

/** Returns the links of a page, except those in code. */
function linksIn(text: string): string[] {
  const prose = removeBlocks(text).replaceAll(/(`+)(?:(?!\1)[\s\S])+\1/g, "");
  return [...prose.matchAll(/\]\(\s*([^)\s]+)[^)]*\)/g)].map(([, href = ""]) => href);
}

/** Returns the anchors of a page. */
function anchorsIn(text: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = [...removeBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
    githubSlug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "")),
  );
  return new Set(
    headings.map((slug) => {
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before}`;
    }),
  );
}

function findProblem(href: string, path: string): string | undefined {
  if (/^https?:/.test(href)) return URL.canParse(href) ? undefined : "is not a URL";
  const [file = "", anchor] = href.split("#", 2);
  const target = file === "" ? path : normalize(join(dirname(path), file));
  const onDisk = join(workspace, target);
  if (relative(workspace, onDisk).startsWith("..")) return "leads out of the repository";
  if (!existsSync(onDisk)) return "leads to no file";
  if (anchor === undefined || statSync(onDisk).isDirectory()) return undefined;
  return anchorsIn(readFileSync(onDisk, "utf8")).has(anchor) ? undefined : `leads to no heading #${anchor}`;
}

const DOCS = "packages/docs/";

describe("links", () => {
  test.each(pages())("in $path resolve", ({ path, text }) => {
    const wrong = linksIn(text).flatMap((href) => {
      const problem = findProblem(href, path);
      return problem === undefined ? [] : [`${href} ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  // npm shows a package's README, and resolves its links against the repository, which a release names.
  test("on the pages of a package stay within the package or the documentation", () => {
    const wrong = pages().flatMap(({ path, text }) => {
      const folder = /^packages\/(?!docs)[\w-]+\//.exec(path)?.[0];
      const leaving = linksIn(text).filter((href) => {
        const isFile = !/^(?:https?:|#)/.test(href);
        const target = join(dirname(path), href);
        return folder !== undefined && isFile && !target.startsWith(folder) && !target.startsWith(DOCS);
      });
      return leaving.map((href) => `${path}: ${href}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("the site", () => {
  const listed = groups().flatMap((group) => group.pages);

  test("lists every page in its sidebar once", () => {
    const paths = pages().flatMap(({ path }) => {
      const inPackages = path.replace(/^packages\//, "");
      return sitePath(inPackages) === undefined ? [] : [inPackages];
    });
    expect([...listed].sort()).toEqual(paths.sort());
  });

  test("links to its own pages, wherever they are in the repository", () => {
    expect(sitePath("docs/reference/limits.md")).toBe("reference/limits.md");
    expect(sitePath("runtime/README.md")).toBe(undefined);
    expect(siteLink("../../docs/reference/limits.md#rate-limits", "docs/guide/limits.md")).toBe(
      "/reference/limits#rate-limits",
    );
    expect(siteLink("errors/type-any.md", "compiler/ERRORS.md")).toBe("/errors/type-any");
    expect(siteLink("#here", "docs/getting-started.md")).toBe("#here");
    expect(siteLink("https://example.com/a.md", "docs/getting-started.md")).toBe("https://example.com/a.md");
  });

  test("has no link to a page that only the repository has", () => {
    const all = pages();
    const wrong = listed.flatMap((path) => {
      const { text } = all.find((page) => page.path === `packages/${path}`) ?? { text: "" };
      const files = linksIn(text).filter((href) => !/^(?:https?:|#)/.test(href));
      return files.filter((href) => !siteLink(href, path).startsWith("/")).map((href) => `${path}: ${href}`);
    });
    expect(wrong).toEqual([]);
  });

  test("writes code in fenced blocks, which scroll in a narrow window", () => {
    const indented = pages().filter(({ text }) => /^\n(?:\t| {4})\S/m.test(removeBlocks(text)));
    expect(indented.map(({ path }) => path)).toEqual([]);
  });

  test("has a description for every page", () => {
    expect(getSummary("docs/guide/handle-errors.md")).toBe(
      "A handler fails by throwing an error. The class of the error decides what the client receives.",
    );
    expect(getSummary("compiler/errors/config-not-define-server.md")).toBe(
      "The default export of src/server.ts is not a call to defineServer.",
    );
    // A description must be a complete sentence, not the rest of one that a code block interrupts.
    const unsaid = listed.filter(
      (path) =>
        !/^(?:[A-Z@]|node |tenon ).{20,}[.!?]$/.test(getSummary(path)) &&
        !path.startsWith("compiler/errors/"),
    );
    expect(unsaid.map((path) => `${path}: ${getSummary(path)}`)).toEqual([]);
  });

  test("has a Markdown version of every page, and lists them for programs", () => {
    const twins = markdownTwins();
    const list = twins.get("llms.txt") ?? "";
    for (const path of listed) {
      const on = sitePath(path) ?? "";
      expect(twins.get(on), on).toMatch(/^# /);
      expect(list).toContain(`](/${on}): `);
    }
    expect(twins.get("llms-full.txt")).toContain("# Limits");
    for (const [path, text] of twins) {
      expect(text, path).not.toContain("<!-- given");
      for (const href of linksIn(text).filter((each) => each.startsWith("/")))
        expect([...twins.keys()], `${path} → ${href}`).toContain(href.slice(1).split("#")[0]);
    }
  });
});
