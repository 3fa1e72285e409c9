/**
 * The page of a server in a browser.
 */
import { createServer as createHttpServer, request as httpRequest } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { listen, type Listener } from "@tenon/runtime/node";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createPagedServer } from "../runtime/http/paged-server.js";
import type { Browser, Page } from "../third-party/playwright.js";
import { findViolations } from "./accessible.js";
import { openPage, startBrowser } from "./browser.js";
import { comparePicture, SITE_PICTURES } from "./pictures.js";

const HOSTILE = `</script><script>document.title="changed"</script>"'<img src=x onerror=document.title="changed">`;

let browser: Browser;
let listener: Listener;

beforeAll(async () => {
  const server = createPagedServer(
    [
      { name: "current", title: "Current conditions", description: "Returns the weather now.\nIn one city." },
      { name: "forecast".repeat(8), description: "A".repeat(300) },
      { name: HOSTILE, description: HOSTILE },
      { name: "rtl", title: "מזג אוויר", description: "\u202Eתחזית מזג האוויר" },
    ],
    { title: "Weather", name: "weather", description: HOSTILE, websiteUrl: "https://example.com/docs" },
  );
  [browser, listener] = await Promise.all([startBrowser(), listen(server, { port: 0 })]);
});

afterAll(async () => {
  await browser?.close();
  await listener?.close();
});

/** Shows the instructions for every client. */
async function openAll(page: Page): Promise<void> {
  for (const summary of await page.locator("summary").all()) await summary.click();
}

const getOverflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");

describe("the page of a server", () => {
  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)("is accessible and fits in %s, at a width of %i pixels", async (colorScheme, width) => {
    const viewport = { width, height: 800 };
    const { page, problems } = await openPage(browser, listener.url, { viewport, colorScheme });
    await page.getByRole("heading", { name: "Weather", exact: true }).waitFor();
    await openAll(page);
    expect(await getOverflow(page)).toBe(0);
    // The background differs, so both themes were tested.
    const isDark = await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches");
    expect(isDark).toBe(colorScheme === "dark");
    // The policy of the page does not let axe into it, so it starts in a context without a policy.
    const open = await openPage(browser, listener.url, { viewport, colorScheme, bypassCSP: true });
    await openAll(open.page);
    expect(await findViolations(open.page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("copies the text next to a button, and confirms it", async () => {
    const { page, problems } = await openPage(browser, listener.url, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByText("Claude Code", { exact: true }).click();
    await page.getByRole("button", { name: "Copy the command for Claude Code" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Copied");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `claude mcp add --transport http weather ${listener.url}`,
    );
    expect(problems).toEqual([]);
  });

  test("copies without the clipboard API, which pages without TLS lack", async () => {
    const { page } = await openPage(browser, listener.url);
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole("button", { name: "Copy the URL", exact: true }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Copied");
  });

  test("runs no script from names or descriptions", async () => {
    const { page, problems } = await openPage(browser, listener.url);
    expect(await page.title()).toBe("Weather");
    await page.getByText(HOSTILE).first().waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("is readable without scripts", async () => {
    const { page } = await openPage(browser, listener.url, { javaScriptEnabled: false });
    await page.getByText("Cursor", { exact: true }).click();
    await page.locator("pre:visible", { hasText: `"url": "${listener.url}"` }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("shows the URL of the address bar if a proxy has removed a prefix", async () => {
    const proxy = createHttpServer((request, response) => {
      const path = request.url?.replace(/^\/desk(?=\/)/, "");
      const headers = { ...request.headers, host: `localhost:${listener.port}` };
      const sent = httpRequest({ host: "127.0.0.1", port: listener.port, path, headers }, (received) => {
        response.writeHead(received.statusCode ?? 0, received.headers);
        received.pipe(response);
      });
      sent.end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => {
      proxy.close();
      proxy.closeAllConnections();
    });
    await once(proxy, "listening");
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/desk/mcp`;
    const { page, problems } = await openPage(browser, `${url}?from=mail#tools`);
    await openAll(page);
    const shown = (await page.locator("pre").allTextContents()).filter((text) => text.includes("http:"));
    expect(shown.length).toBeGreaterThan(12);
    expect(shown.filter((text) => !text.includes(url))).toEqual([]);
    expect(problems).toEqual([]);
  });
});

test("the screenshot in the documentation shows the page of a public server", async () => {
  const server = createPagedServer(
    [
      { name: "current", title: "Current conditions", description: "Current conditions for a city." },
      { name: "forecast", title: "Forecast", description: "The forecast for up to 14 days." },
    ],
    { title: "Weather", name: "weather", description: "Conditions and forecasts for every city." },
  );
  const served = await listen(server, { port: 0 });
  onTestFinished(() => served.close());
  const { page } = await openPage(browser, "about:blank", {
    viewport: { width: 860, height: 930 },
    deviceScaleFactor: 2,
  });
  const url = "https://mcp.example.com/mcp";
  await page.route(url, async (route) => route.fulfill({ response: await route.fetch({ url: served.url }) }));
  await page.goto(url);
  await page.getByText("VS Code", { exact: true }).click();
  expect(await page.locator("pre").first().textContent()).toBe(url);
  await comparePicture(page, "server-page.webp", SITE_PICTURES);
});
