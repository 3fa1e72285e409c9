import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "../third-party/playwright.js";

/** Where systems install it. */
const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** @throws Error where the machine has none */
export async function startBrowser(): Promise<Browser> {
  const program = process.env["CHROMIUM"] ?? PROGRAMS.find((path) => existsSync(path));
  if (program === undefined)
    throw new Error("Install chromium, or name it by CHROMIUM, to test the playground.");
  return chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
}

/** A page, and what went wrong on it or was asked of any other host. */
export interface WatchedPage {
  page: Page;
  /** To be empty. */
  problems: string[];
}

export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "log") problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith("data:"))
      problems.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}
