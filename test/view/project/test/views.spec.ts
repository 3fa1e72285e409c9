/** The tests of an author: `render-view.test.ts` runs them in a copy of this project, as `vitest run` does. */
import { readFileSync } from "node:fs";
import { renderView } from "@tenon/cli/testing";
import { describe, expect, test } from "vitest";
import { Weather } from "../src/weather.js";

const poll = { timeout: 5000, interval: 10 };
const OSLO = { city: "Oslo", days: [{ date: "2026-12-01", celsius: -3 }] };

describe.each(["chromium", "happy-dom"] as const)("a view in %s", (browser) => {
  test("shows a given result", async () => {
    await using view = await renderView(Weather, "forecast", {
      input: { city: "Oslo" },
      result: OSLO,
      browser,
    });
    await expect.poll(() => view.text("li"), poll).toBe("2026-12-01: -3 °C");
    expect(await view.text()).toContain("ready");
  });

  test("shows the result of a static method", async () => {
    await using view = await renderView(Weather, "version", { browser });
    await expect.poll(() => view.text(), poll).toBe("1.0");
    expect(view.height).toBeUndefined();
  });

  test("shows the result of the tool, which is called without a given result", async () => {
    const view = await renderView(Weather, "forecast", { input: { city: "Bergen", days: 1 }, browser });
    await expect.poll(() => view.text("li"), poll).toBe("2026-12-01: 0 °C");
    await view.close();
  });

  test("opens only pages", async () => {
    await using view = await renderView(Weather, "forecast", { result: OSLO, browser });
    await view.click("#link");
    await expect.poll(() => view.text("#answer"), poll).toBe("{}");
    await view.click("#script");
    await expect.poll(() => view.text("#answer"), poll).toContain("rejected: The client opens only pages");
  });

  test("calls tools of the server, with a mock", async () => {
    class Cold extends Weather {
      override temperature(): number {
        return -40;
      }
    }
    await using view = await renderView(Weather, "forecast", {
      result: OSLO,
      provide: [new Cold()],
      browser,
    });
    await view.click("#call");
    await expect.poll(() => view.text("#answer"), poll).toBe("-40");
    expect(view.messages.filter(({ message }) => message.method === "tools/call")).toMatchObject([
      { from: "view", message: { params: { name: "temperature", arguments: { city: "Oslo" } } } },
    ]);
  });

  test("shows the states of a call", async () => {
    await using view = await renderView(Weather, "forecast", {
      input: { city: "Oslo" },
      state: "waiting",
      browser,
    });
    await expect.poll(() => view.text("#input"), poll).toBe("Looking up Oslo…");
    await view.show({ error: "It sank." });
    await expect.poll(() => view.text("#error"), poll).toBe("tool-failed: It sank.");
    await expect(view.show({ error: "It sank again." })).rejects.toThrow("The call is complete.");
    await using cancelled = await renderView(Weather, "forecast", { state: "cancelled", browser });
    await expect.poll(() => cancelled.text("#state"), poll).toBe("cancelled");
  });

  test("runs in a client without capabilities, in the dark", async () => {
    await using view = await renderView(Weather, "forecast", {
      result: OSLO,
      host: { theme: "dark", capabilities: {}, context: { locale: "nb-NO" } },
      browser,
    });
    await view.click("#call");
    await expect.poll(() => view.text("#answer"), poll).toMatch(/^capability-missing: /);
    expect(await view.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    expect(await view.text("#mode")).toBe("inline nb-NO");
    await view.setHost({ displayMode: "fullscreen" });
    await expect.poll(() => view.text("#mode"), poll).toBe("fullscreen nb-NO");
  });

  test("chooses the display mode", async () => {
    await using view = await renderView(Weather, "forecast", { result: OSLO, browser });
    await view.click("#fullscreen");
    await expect.poll(() => view.text("#answer"), poll).toBe('"fullscreen"');
    // Other changes keep it.
    await view.setHost({ context: { locale: "nb-NO" } });
    await expect.poll(() => view.text("#mode"), poll).toBe("fullscreen nb-NO");
  });

  test("reads the text of a result without data", async () => {
    await using view = await renderView(Weather, "forecast", {
      result: OSLO,
      host: { stripsData: true },
      browser,
    });
    await expect.poll(() => view.text("li"), poll).toBe("2026-12-01: -3 °C");
  });

  test("reports errors on the console when it is closed", async () => {
    const view = await renderView(Weather, "forecast", { result: OSLO, browser });
    await view.evaluate(`console.error("It broke.")`);
    await expect.poll(() => view.problems, poll).toEqual(["It broke."]);
    await expect(view.close()).rejects.toThrow("The view of `forecast` has problems:\nIt broke.");
    // Closing it again, as `await using` does, reports nothing twice.
    await view[Symbol.asyncDispose]();
  });

  test("is displayed before it is closed, so that its errors count", async () => {
    const view = await renderView(Weather, "count", { result: -1, browser });
    await expect(view.close()).rejects.toThrow("A number of words is never -1.");
    const waiting = await renderView(Weather, "count", { state: "waiting", browser });
    expect(await waiting.text("#number")).toContain("waiting");
    await waiting.show({ result: -1 });
    expect(await waiting.text("#number")).toContain("ready -1");
    await expect(waiting.close()).rejects.toThrow("A number of words is never -1.");
  });

  test("runs in React and in plain DOM", async () => {
    await using greeting = await renderView(Weather, "greet", { result: "Hello Ada", browser });
    await greeting.click("button");
    await expect.poll(() => greeting.text(), poll).toContain("greet Hello Ada 1");
    await using count = await renderView(Weather, "count", { input: { words: ["a", "b"] }, browser });
    await expect.poll(() => count.text(), poll).toContain("2");
  });

  test("must belong to the method", async () => {
    await expect(renderView(Weather, "temperature", { browser })).rejects.toThrow(
      "Weather.temperature is a tool without a view. Methods with views: Weather.count, Weather.forecast, ",
    );
    const misspelled = { browser, host: { them: "dark" } } as object;
    await expect(renderView(Weather, "forecast", misspelled)).rejects.toThrow(
      "`host.them` is not an option. Remove it, or use one of: theme, displayMode,",
    );
    await expect(renderView(Weather, "forecast", { inputs: {} } as object)).rejects.toThrow(
      "`inputs` is not an option. Remove it, or use one of: input, result,",
    );
    await expect(
      renderView(Weather, "forecast", { browser, error: "It sank.", state: "waiting" }),
    ).rejects.toThrow("`error` has no effect next to `state`.");
    class Other extends Weather {}
    await expect(renderView(Other, "forecast", { browser })).rejects.toThrow(
      "Other.forecast is not a tool of the project.",
    );
  });
});

test("a violation of the security policy is a problem", async () => {
  const view = await renderView(Weather, "forecast", { result: OSLO });
  await view.evaluate(`fetch("https://example.com/").catch(() => 0)`);
  await expect.poll(() => view.problems.join(), poll).toContain("Content Security Policy");
  await expect(view.close()).rejects.toThrow("Content Security Policy");
});

test("a recorded call is shown, with its arguments and its result", async () => {
  const recording = new URL("session.jsonl", import.meta.url);
  const options = { recording, browser: "happy-dom" } as const;
  await using view = await renderView(Weather, "forecast", options);
  await expect.poll(() => view.text("li"), poll).toBe("2026-12-24: -7 °C");
  await using count = await renderView(Weather, "count", options);
  await expect.poll(() => count.text("#number"), poll).toContain("ready 2");
  await expect(renderView(Weather, "greet", options)).rejects.toThrow(
    /has no completed call to the tool `greet`. It has calls to forecast and count\.$/,
  );
});

test("the height is the one that the view reports", async () => {
  await using view = await renderView(Weather, "forecast", { result: OSLO });
  await expect.poll(() => view.height, poll).toBeGreaterThan(100);
});

test("the background follows the theme of the client", async () => {
  await using dark = await renderView(Weather, "greet", { result: "Hello Ada", host: { theme: "dark" } });
  await dark.screenshot("dark.png");
  await using changed = await renderView(Weather, "greet", { result: "Hello Ada" });
  await changed.screenshot("light.png");
  await changed.setHost({ theme: "dark" });
  await changed.screenshot("changed.png");
  expect(readFileSync("light.png").equals(readFileSync("dark.png"))).toBe(false);
  expect(readFileSync("changed.png").equals(readFileSync("dark.png"))).toBe(true);
});

test("a picture is saved", async () => {
  await using view = await renderView(Weather, "forecast", { result: OSLO });
  await view.screenshot("forecast.png");
  await using other = await renderView(Weather, "forecast", { result: OSLO, browser: "happy-dom" });
  await expect(other.screenshot("never.png")).rejects.toThrow("happy-dom cannot take screenshots.");
});

// The types of the tool apply.
export const wrong = () => [
  // @ts-expect-error -- the argument has another name
  renderView(Weather, "forecast", { input: { town: "Oslo" } }),
  // @ts-expect-error -- the result lacks its days
  renderView(Weather, "forecast", { result: { city: "Oslo" } }),
  // @ts-expect-error -- there is no such method
  renderView(Weather, "forecasts"),
];
