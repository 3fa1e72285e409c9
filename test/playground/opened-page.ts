import type { BrowserContextOptions, Page } from "../third-party/playwright.js";
import { expect, onTestFinished } from "vitest";
import { openPage, startBrowser } from "./browser.js";
import { startPlaygroundProject } from "./playground-project.js";

/** A project with its playground, and a browser. */
export interface Stage extends AsyncDisposable {
  project: Awaited<ReturnType<typeof startPlaygroundProject>>;
  /** Opens the page at an entry. Any error on the page fails the test. */
  open(hash?: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Starts a project and a browser. @param sources the source files, by path (default: the trip planner) */
export async function setStage(flags?: string[], sources?: Record<string, string>): Promise<Stage> {
  const [browser, project] = await Promise.all([startBrowser(), startPlaygroundProject(flags, sources)]);
  return {
    project,
    async open(hash = "", options = {}) {
      const { page, problems } = await openPage(browser, `${project.url}${hash}`, options);
      onTestFinished(async () => {
        await page.context().close();
        expect(problems).toEqual([]);
      });
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await project[Symbol.asyncDispose]();
    },
  };
}
