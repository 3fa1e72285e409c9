import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { groups } from "../../../packages/docs/.vitepress/navigation.js";
import { sitePath } from "../../../packages/docs/.vitepress/site-paths.js";
import { findViolations } from "../../playground/accessible.js";
import { openPage, startBrowser } from "../../playground/browser.js";
import type { Browser, Page } from "../../third-party/playwright.js";
import { workspace } from "../pages.js";
import { SITE } from "./build-site.js";
import { serveSite, type ServedSite } from "./serve-site.js";

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 780 };

const toSitePath = (page: string): string => `/${(sitePath(page) ?? "").replace(/(?:index)?\.md$/, "")}`;

const MAX_PAGES_PER_TEST = 30;

/** The pages of the site by their group in the navigation. A group with many pages has several tests. */
const BATCHES = groups().flatMap(({ text, pages }) => {
  const paths = text === "Diagnostics" ? findWidest(pages.map(toSitePath)) : pages.map(toSitePath);
  return Array.from(
    { length: Math.ceil(paths.length / MAX_PAGES_PER_TEST) },
    (_, index): [group: string, first: string, paths: string[]] => {
      const batch = paths.slice(index * MAX_PAGES_PER_TEST).slice(0, MAX_PAGES_PER_TEST);
      return [text, batch[0] ?? "", batch];
    },
  );
});

/**
 * Returns the pages with the longest lines of code, and those with the longest words. If these fit, so do other pages with the
 * same layout.
 */
function findWidest(paths: readonly string[]): string[] {
  const measured = paths.map((path) => {
    const [main = ""] = /<main[^]*<\/main>/.exec(readFileSync(join(SITE, toFile(path)), "utf8")) ?? [];
    const code = /<pre[^]*?<\/pre>/g;
    const lines = [...main.matchAll(code)].flatMap(([block]) => toText(block).split("\n"));
    return {
      path,
      line: getLongest(lines),
      word: getLongest(toText(main.replaceAll(code, " ")).split(/\s/)),
    };
  });
  const widest = (["line", "word"] as const).flatMap((key) =>
    measured.toSorted((a, b) => b[key] - a[key]).slice(0, MAX_PAGES_PER_TEST / 2),
  );
  return [...new Set(widest.map(({ path }) => path))];
}

/** Returns the file of a page in the built site. */
function toFile(path: string): string {
  return path.endsWith("/") ? `${path}index.html` : `${path}.html`;
}

function toText(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/&[#\w]+;/g, "x");
}

function getLongest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

let browser: Browser;
let site: ServedSite;

beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowser(), serveSite()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.[Symbol.asyncDispose]();
});

/**
 * Evaluated in the browser: finds elements that do not fit. This is text because the project has no types for browsers.
 */
const CUT_OFF = `(() => {
  const root = document.documentElement;
  const wide = root.scrollWidth > root.clientWidth ? ["the page"] : [];
  const blocks = [...document.querySelectorAll(".vp-doc pre")].filter((each) => each.clientWidth > 0);
  const cut = blocks.filter((each) => each.scrollWidth > each.clientWidth + 1);
  return [...wide, ...cut.map((each) => {
    const lines = each.innerText.split("\\n").sort((a, b) => b.length - a.length);
    return lines[0].trim();
  })];
})()`;

/** Evaluated in the browser: finds code blocks whose text is smaller than 12 pixels. */
const TINY = `[...document.querySelectorAll(".vp-doc pre code")]
  .filter((each) => Number.parseFloat(getComputedStyle(each).fontSize) < 12).length`;

const WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

describe("pages of the site", () => {
  test.each(BATCHES)(
    "under “%s”, from %s, fit a window of 1280 pixels with all their code, and a phone",
    async (_group, _first, paths) => {
      const { page, problems } = await openPage(browser, `${site.url}/`, { viewport: DESKTOP });
      const wrong: string[] = [];
      for (const path of paths) {
        await page.setViewportSize(DESKTOP);
        await page.goto(`${site.url}${path}`);
        for (const text of (await page.evaluate(CUT_OFF)) as string[])
          wrong.push(`${path} cuts off: ${text}`);
        await page.setViewportSize(PHONE);
        if ((await page.evaluate(WIDE)) !== 0) wrong.push(`${path} is wider than a phone`);
        if ((await page.evaluate(TINY)) !== 0) wrong.push(`${path} has tiny code on a phone`);
      }
      expect(wrong).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  describe.each(["light", "dark"] as const)("in %s colors", (colorScheme) => {
    test.each([
      "/",
      "/getting-started",
      "/guide/define-tools",
      "/reference/configuration",
      "/reference/comparison",
      "/errors/type-function",
    ])("%s has no barrier that axe finds, at both widths", async (path) => {
      for (const viewport of [DESKTOP, PHONE]) {
        const { page, problems } = await openPage(browser, `${site.url}${path}`, { viewport, colorScheme });
        await settle(page);
        expect(await findViolations(page), `${viewport.width} pixels`).toEqual([]);
        expect(problems).toEqual([]);
        await page.context().close();
      }
    });
  });
});

test("the search box ranks pages like the search that the tests measure", async () => {
  const { page, problems } = await openPage(browser, `${site.url}/guide/define-tools`, { viewport: DESKTOP });
  await settle(page);
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("where do I set a breakpoint");
  await page.locator(".VPLocalSearchBox .result").first().waitFor();
  const paths = await page
    .locator(".VPLocalSearchBox .result")
    .evaluateAll((all) => all.map((each) => each.getAttribute("href")?.split("#")[0]));
  expect(paths.slice(0, 3)).toContain("/guide/debugging");
  expect(problems).toEqual([]);
});

test("a recorded session plays instead of its transcript, and pauses", async () => {
  const { page, problems } = await openPage(browser, `${site.url}/getting-started`, { viewport: DESKTOP });
  await settle(page);
  const terminal = page.locator(".recording .frame");
  const readTerminal = async (): Promise<string> => (await terminal.textContent()) ?? "";
  expect(await readTerminal()).toContain('"hours": 36');
  await page.clock.install();
  const later = async (): Promise<string> => {
    await page.clock.runFor(500);
    return await readTerminal();
  };
  await page.getByRole("button", { name: "Play" }).click();
  await expect.poll(later).toContain("$ npm cre");
  expect(await readTerminal()).not.toContain("hours");
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = await readTerminal();
  expect(await later()).toBe(paused);
  expect(problems).toEqual([]);
});

test("the social card has the size of the page that it is rendered from", async () => {
  const url = pathToFileURL(join(workspace, "packages/docs/.vitepress/social-card.html")).href;
  const context = await browser.newContext({ viewport: { width: 1200, height: 630 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.evaluate("document.fonts.ready");
  const card = join(workspace, "packages/docs/public/social-card.png");
  const taken = await page.screenshot();
  if (process.env["PICTURES"] === "write") writeFileSync(card, taken);
  // Width and height are the first values of a PNG.
  expect(readFileSync(card).subarray(16, 24)).toEqual(taken.subarray(16, 24));
  await context.close();
});

/** Waits for the page's script, which adds roles and labels. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
}
