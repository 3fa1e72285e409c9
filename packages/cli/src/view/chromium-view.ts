import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createSandbox } from "../playground/sandbox.js";
import type { Browser, Frame } from "./browser.js";
import { followStart, MAX_ELEMENT_WAIT_MS, type OpenView, type ViewInput } from "./open-view.js";
import type { ViewMessage } from "./view-host.js";

/** The time for images and fonts of a view to appear, in milliseconds. */
const SETTLE_MS = 200;
/** The height of the window, and of views that do not report one, in CSS pixels. */
const WINDOW_HEIGHT = 480;

/**
 * Displays a view in Chromium as a client does: in a frame on another origin, under its security policy. Waits until the
 * view is displayed.
 */
export async function openInChromium(browser: Browser, input: ViewInput): Promise<OpenView> {
  const { source, call, settings, server, width, onMessage } = input;
  const sandbox = await createSandbox();
  const page = await browser.newPage({
    // In a window that is one pixel high, Chromium may stop rendering the view, which then reports no further height.
    viewport: { width, height: WINDOW_HEIGHT },
    deviceScaleFactor: 2,
  });
  const problems: string[] = [];
  const start = followStart(source.autoSize);
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  await page.exposeFunction("requestServer", (method: keyof typeof server, first: string, second: object) =>
    method === "callTool"
      ? server.callTool(first, second as Record<string, unknown>)
      : method === "listTools"
        ? server.listTools()
        : server.readResource(first),
  );
  await page.exposeFunction("reportMessage", (message: ViewMessage) => {
    onMessage(message);
    start.onMessage(message);
  });
  await page.setContent("<!doctype html><html><body></body></html>");
  await page.addScriptTag({ content: readFileSync(fileURLToPath(PAGE), "utf8") });
  const { html, allow, query, autoSize } = source;
  const shown = { address: `${sandbox.origin}/${query}`, html, allow, settings, call };
  const height = autoSize ? undefined : WINDOW_HEIGHT;
  await page.evaluate(`window.host = window.showView(${JSON.stringify({ ...shown, height })}), undefined`);
  const problem = await start.wait();
  if (problem !== undefined) problems.push(problem);

  const getFrame = (): Frame => {
    // The frames before it are the page and the sandbox; a view may contain others.
    const frame = page.frames()[2];
    if (frame === undefined) throw new Error("The view has no frame.");
    return frame;
  };
  const options = { timeout: MAX_ELEMENT_WAIT_MS };
  return {
    problems,
    get height() {
      return start.height;
    },
    show: async (next) => void (await page.evaluate(`window.host.show(${JSON.stringify(next)})`)),
    set: async (next) => void (await page.evaluate(`window.host.set(${JSON.stringify(next)})`)),
    text: (selector) => getFrame().innerText(selector, options),
    // Only events can click elements below the window.
    click: (selector) => getFrame().dispatchEvent(selector, "click", undefined, options),
    fill: (selector, text) => getFrame().fill(selector, text, { ...options, force: true }),
    evaluate: (expression) => getFrame().evaluate(expression),
    async screenshot(path) {
      await page.waitForTimeout(SETTLE_MS);
      await page.setViewportSize({ width, height: start.height ?? WINDOW_HEIGHT });
      await page.screenshot({ path, fullPage: true });
    },
    async close() {
      await page.close();
      await sandbox.close();
    },
  };
}

/** The script of the page, which the package's build writes. */
const PAGE = new URL("../../dist/playground/page/view-page.js", import.meta.url);
