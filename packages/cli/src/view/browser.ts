import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Failure } from "../terminal/failure.js";

/** The parts of Playwright that screenshots need. */
export interface Browser {
  newPage(options: { viewport: { width: number; height: number }; deviceScaleFactor: number }): Promise<Page>;
  close(): Promise<void>;
}

/** A page of the browser. */
export interface Page {
  on(event: "console", listener: (message: { type(): string; text(): string }) => void): void;
  on(event: "pageerror", listener: (error: Error) => void): void;
  exposeFunction(name: string, call: (...args: never[]) => unknown): Promise<void>;
  setContent(html: string): Promise<void>;
  addScriptTag(options: { content: string }): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  frames(): Frame[];
  waitForTimeout(ms: number): Promise<void>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  screenshot(options: { path: string; fullPage: boolean }): Promise<unknown>;
  close(): Promise<void>;
}

/** A frame in a page. Times are in milliseconds. */
export interface Frame {
  innerText(selector: string, options: { timeout: number }): Promise<string>;
  dispatchEvent(selector: string, type: string, init: undefined, options: { timeout: number }): Promise<void>;
  fill(selector: string, text: string, options: { timeout: number; force: boolean }): Promise<void>;
  evaluate(script: string): Promise<unknown>;
}

interface Playwright {
  chromium: { launch(options: { executablePath?: string; args: string[] }): Promise<Browser> };
}

/** The packages that contain Playwright. */
const PACKAGES = ["playwright-core", "playwright", "@playwright/test"];

/** The paths at which systems install Chromium. */
const PROGRAMS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/**
 * Starts Chromium with the Playwright of a project.
 *
 * @param root the project folder, absolute
 * @throws Failure if Playwright or a browser is missing
 */
export async function startBrowser(root: string): Promise<Browser> {
  const loaded = await importFrom<Playwright>(root, PACKAGES);
  if (loaded === undefined)
    throw new Failure("Displaying views requires Playwright, which is not installed.", {
      hint: "Install it: npm install --save-dev playwright-core",
    });
  const { chromium } = loaded;
  const program = process.env["CHROMIUM"] ?? PROGRAMS.find((path) => existsSync(path));
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  try {
    return await chromium.launch({ ...(program !== undefined && { executablePath: program }), args });
  } catch (cause) {
    throw new Failure("No browser could be started.", {
      hint: "Install one with `npx playwright install chromium`, or set CHROMIUM to the path of Chrome or Chromium.",
      cause,
    });
  }
}

/**
 * Imports the first of these packages that a project has installed. Returns undefined if it has none.
 *
 * @param root the project folder, absolute
 */
export async function importFrom<Module>(
  root: string,
  packages: readonly string[],
): Promise<Module | undefined> {
  const require = createRequire(join(root, "package.json"));
  for (const name of packages) {
    let path;
    try {
      path = require.resolve(name);
    } catch {
      continue;
    }
    const loaded = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as Module & {
      default?: Module;
    };
    return loaded.default ?? loaded;
  }
  return undefined;
}
