/** Views of a built server in the official inspector, which people use without an account. `npm run test:clients`. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBrowser } from "../playground/browser.js";
import { newerNode } from "../support/newer-node.mjs";
import type { Browser, Frame, Page } from "../third-party/playwright.js";
import { buildViews, type BuiltViews } from "../view/built-views.js";
import { FOLDER_VARIABLE } from "../wire/recorder.mjs";
import { freePort, npmEnvironment, run } from "./local-registry.js";
import { waitForResponse } from "./server-answers.js";

const INSPECTOR = "@modelcontextprotocol/inspector";
const VERSION = "2.12.0";

/** The inspector loads its font from here. */
const FONTS = "https://fonts.googleapis.com/**";

let folder: string;
let browser: Browser;
let views: BuiltViews;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-inspector-"));
  mkdirSync(join(folder, "home"));
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error"];
  await run("npm", [...args, "--prefix", folder, `${INSPECTOR}@${VERSION}`], folder, npmEnvironment());
  [browser, views] = await Promise.all([startBrowser(), buildViews()]);
});
afterAll(async () => {
  await browser?.close();
  await views?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the inspector for a server that it starts over stdio. */
async function startInspector(era: string): Promise<{ url: string; inspector: ChildProcess }> {
  const port = await freePort();
  const program = join(folder, "node_modules", INSPECTOR, "clients/web/build/index.js");
  const server = [process.execPath, join(views.root, "dist/server.js")];
  const inspector = spawn(newerNode(), [program, "--transport", "stdio", "--protocol-era", era, ...server], {
    stdio: "ignore",
    env: {
      ...process.env,
      HOME: join(folder, "home"),
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: String(await freePort()),
      MCP_STORAGE_DIR: join(folder, "storage"),
      MCP_AUTO_OPEN_ENABLED: "false",
      DANGEROUSLY_OMIT_AUTH: "true",
      // What the inspector sends is not Tenon's.
      [FOLDER_VARIABLE]: undefined,
    },
  });
  const url = `http://127.0.0.1:${port}/`;
  await waitForResponse(url);
  return { url, inspector };
}

/** Opens the inspector without its fonts, and collects errors on the console, also those of the view. */
async function openInspector(url: string): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.route(FONTS, (route) => route.fulfill({ contentType: "text/css", body: "" }));
  await page.goto(url);
  return { page, problems };
}

/** Connects, and opens the view of the tool `forecast` with the inspector's form. Returns the frame of the view. */
async function openForecast(page: Page): Promise<Frame> {
  await page.getByRole("switch").first().click({ force: true });
  await page.getByText("Apps", { exact: true }).first().click();
  await page.getByText("forecast", { exact: true }).first().click();
  await page.getByRole("textbox", { name: "city" }).fill("Oslo");
  await page.getByRole("button", { name: "Open App" }).click();
  const find = (): Frame | undefined => page.frames().find((frame) => frame.url() === "about:srcdoc");
  await expect.poll(find).toBeDefined();
  return find() as Frame;
}

describe.each([
  ["the newest revision", "modern"],
  ["a revision with sessions", "legacy"],
])("a view in the official inspector, with %s", (_name, era) => {
  test("shows the result, and calls a tool through the inspector", async () => {
    const { url, inspector } = await startInspector(era);
    const { page, problems } = await openInspector(url);
    try {
      const frame = await openForecast(page);
      await expect.poll(() => frame.locator("li").first().innerText()).toBe("2026-12-01: 0 °C");
      await frame.locator("#call").dispatchEvent("click");
      await expect.poll(() => frame.locator("#answer").innerText()).toBe("4");
      expect(problems).toEqual([]);
    } finally {
      await page.close();
      inspector.kill();
      if (inspector.exitCode === null) await once(inspector, "exit");
    }
  });
});
