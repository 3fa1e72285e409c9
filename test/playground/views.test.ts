/** Views in the playground, which displays them as a client does. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FrameLocator, Page } from "../third-party/playwright.js";
import { tsconfig } from "../support/project-folder.js";
import { findViolations, type ViewMessage } from "../view/messages.js";
import { findViolations as findBarriers } from "./accessible.js";
import { setStage, type Stage } from "./opened-page.js";

const VIEW = `
import type { ViewProps } from "@tenon/runtime/view";
import { useState } from "preact/hooks";
import type { Weather } from "./weather.js";
export default function Forecast({ input, state, result, error, app }: ViewProps<Weather, "forecast">) {
  const [now, setNow] = useState("");
  const refresh = () => {
    app.call.temperature({ city: "Oslo" }).then(
      (celsius) => setNow(String(celsius)),
      (reason: { code: string }) => setNow(reason.code),
    );
  };
  return (
    <main style={{ color: "var(--color-text-primary)" }}>
      <p id="state">{state} {app.host.context.displayMode}</p>
      <p id="result">{result ? result.city + ": " + result.celsius : error?.message ?? "for " + input.city}</p>
      <button onClick={refresh}>Now {now}</button>
    </main>
  );
}`;
const SOURCES = {
  "tsconfig.json": tsconfig({ lib: ["es2023", "dom"], jsx: "react-jsx", jsxImportSource: "preact" }),
  "src/weather.ts": `
    import { Tool, ToolError } from "@tenon/runtime";
    export class Weather {
      /** The forecast. */
      @Tool({ readOnly: true, view: "./forecast.view.tsx" })
      forecast(city: string): { city: string; celsius: number } {
        if (city === "Atlantis") throw new ToolError("It sank.");
        return { city, celsius: city.length };
      }
      /** For the view. */
      @Tool({ readOnly: true, visibility: ["app"] }) temperature(city: string): number { return city.length; }
    }`,
  "src/forecast.view.tsx": VIEW,
};

let stage: Stage;
beforeAll(async () => {
  stage = await setStage([], SOURCES);
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

/** Records the messages that the page between the playground and the view forwards. */
const RECORDER = `
  window.recorded = [];
  addEventListener("message", ({ source, data }) => {
    const { jsonrpc, ...message } = data;
    if (String(message.method).startsWith("ui/notifications/sandbox-")) return;
    window.recorded.push({ from: source === parent ? "host" : "view", message });
  });`;

describe("a view in the playground", () => {
  const openCall = async (city: string): Promise<{ page: Page; view: FrameLocator }> => {
    const page = await stage.open("");
    await page.addInitScript(RECORDER);
    await page.goto(`${stage.project.url}#tool/forecast`);
    await page.reload();
    await page.getByLabel("city").fill(city);
    await page.getByRole("button", { name: "Call forecast" }).click();
    return { page, view: page.frameLocator("iframe[title='View of forecast']").frameLocator("iframe") };
  };
  const expectValidMessages = async (page: Page): Promise<void> => {
    const proxy = page.frames().find((frame) => frame.url().includes("/?csp="));
    const recorded = (await proxy?.evaluate("window.recorded")) as ViewMessage[];
    expect(recorded.length).toBeGreaterThan(4);
    expect(findViolations(recorded)).toEqual([]);
  };

  test("shows the result, calls tools, and exchanges valid messages", async () => {
    const { page, view } = await openCall("Oslo");
    await expect.poll(() => view.locator("#result").textContent()).toBe("Oslo: 4");
    expect(await view.locator("#state").textContent()).toBe("ready inline");
    await view.getByRole("button", { name: "Now" }).click();
    await expect.poll(() => view.getByRole("button").textContent()).toBe("Now 4");
    await expectValidMessages(page);
    await page.getByText(/\d+ messages between the view and the client/).click();
    expect(await page.locator(".view-message").count()).toBeGreaterThan(6);
  });

  test.each(["light", "dark"] as const)("is accessible in the %s theme", async (colorScheme) => {
    const page = await stage.open("#tool/forecast", { colorScheme });
    await page.getByLabel("city").fill("Oslo");
    await page.getByRole("button", { name: "Call forecast" }).click();
    await page.getByText(/\d+ messages between the view and the client/).click();
    expect(await findBarriers(page)).toEqual([]);
  });

  test("shows the message of a failed tool", async () => {
    const { view } = await openCall("Atlantis");
    await expect.poll(() => view.locator("#result").textContent()).toBe("It sank.");
  });

  test("follows the theme, the display mode, and what other clients lack", async () => {
    const { page, view } = await openCall("Oslo");
    await expect.poll(() => view.locator("#result").textContent()).toBe("Oslo: 4");
    const getColor = (): Promise<string> =>
      view.locator("main").evaluate((main) => {
        const browser = globalThis as unknown as { getComputedStyle(element: unknown): { color: string } };
        return browser.getComputedStyle(main).color;
      });
    await page.getByLabel("Theme of the view").selectOption("dark");
    await expect.poll(getColor).toBe("rgb(250, 250, 249)");
    await page.getByLabel("Theme of the view").selectOption("light");
    await expect.poll(getColor).toBe("rgb(28, 25, 23)");
    await page.getByLabel("Display mode of the view").selectOption("fullscreen");
    await expect.poll(() => view.locator("#state").textContent()).toBe("ready fullscreen");
    await view.locator("main").evaluate(() => {
      const { parent } = globalThis as unknown as {
        parent: { postMessage(message: object, to: string): void };
      };
      const request = { method: "ui/request-display-mode", params: { mode: "inline" } };
      parent.postMessage({ jsonrpc: "2.0", id: "back", ...request }, "*");
    });
    await expect.poll(() => page.getByLabel("Display mode of the view").inputValue()).toBe("inline");
    await expect.poll(() => view.locator("#state").textContent()).toBe("ready inline");
    await page.getByLabel("Without structuredContent").check();
    await page.getByLabel("Without toolInfo").check();
    await page.getByLabel("Without capabilities").check();
    await expect.poll(() => view.locator("#result").textContent()).toBe("Oslo: 4");
    await view.getByRole("button", { name: "Now" }).click();
    await expect.poll(() => view.getByRole("button").textContent()).toBe("Now capability-missing");
    await expectValidMessages(page);
  });

  test("is replaced after an edit, with the same input and result", async () => {
    const { view } = await openCall("Bergen");
    await expect.poll(() => view.locator("#result").textContent()).toBe("Bergen: 6");
    stage.project.write({ "src/forecast.view.tsx": VIEW.replace('": "', '" has "') });
    await expect.poll(() => view.locator("#result").textContent()).toBe("Bergen has 6");
  });

  test("runs under the default security policy, on another origin", async () => {
    const { page, view } = await openCall("Oslo");
    await view.locator("#result").waitFor();
    const proxy = page.frames().find((frame) => frame.url().includes("/?csp="));
    expect(new URL(proxy?.url() ?? "").origin).not.toBe(new URL(page.url()).origin);
    const response = await fetch(proxy?.url() ?? "");
    expect(response.headers.get("content-security-policy")).toContain("connect-src 'none'");
  });
});
