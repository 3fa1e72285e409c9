import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "../third-party/playwright.js";

/** The paths at which systems install Chromium. */
const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts Chromium. @throws Error if it is not installed */
export async function startBrowser(): Promise<Browser> {
  const program = process.env["CHROMIUM"] ?? PROGRAMS.find((path) => existsSync(path));
  if (program === undefined)
    throw new Error("Install Chromium, or set CHROMIUM to its path, to test the playground.");
  return chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
}

/** A page, its errors, and its requests to other hosts. */
export interface WatchedPage {
  page: Page;
  /** The errors and requests. Tests expect none. */
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
    // Views are in frames, on another origin of this machine.
    const isOwn =
      request.frame() === page.mainFrame()
        ? request.url().startsWith(new URL(url).origin)
        : request.url().startsWith("http://127.0.0.1:");
    if (!isOwn && !request.url().startsWith("data:")) problems.push(`requested ${request.url()}`);
  });
  await page.goto(url);
  return { page, problems };
}
