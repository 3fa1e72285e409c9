import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../third-party/playwright.js";
import { startBrowser } from "../playground/browser.js";
import { buildViews, type BuiltViews } from "./built-views.js";
import { STYLE_VARIABLES } from "./messages.js";
import {
  ALL_CAPABILITIES,
  type HostOptions,
  openInAppBridge,
  type OpenedView,
  openView,
} from "./strict-host.js";

const FORECAST = { city: "Oslo", days: [{ date: "2026-12-01", celsius: -3 }] };
const RESULT = {
  content: [{ type: "text", text: JSON.stringify(FORECAST) }],
  structuredContent: FORECAST,
};
const INPUT = { arguments: { city: "Oslo" } };

describe("a view in a host with the default security policy", () => {
  let browser: Browser;
  let views: BuiltViews;
  const opened: OpenedView[] = [];
  beforeAll(async () => {
    [browser, views] = await Promise.all([startBrowser(), buildViews()]);
  });
  afterAll(async () => {
    await browser.close();
    await views.remove();
  });

  /** Opens a view, runs a test, and expects no problem in the browser or in the messages but those of the host. */
  const withView = async (
    tool: string,
    options: HostOptions,
    run: (view: OpenedView) => Promise<void>,
    expected: readonly string[] = [],
  ): Promise<void> => {
    const view = await openView(browser, await views.read(tool), options);
    opened.push(view);
    try {
      await run(view);
      expect(await view.problems()).toEqual(expected);
    } finally {
      await view.close();
    }
  };
  const getText = (view: OpenedView, selector: string): Promise<string> =>
    view.frame.locator(selector).innerText();

  test("shows the input while it waits, and then the result", () =>
    withView("forecast", {}, async (view) => {
      expect(await getText(view, "#state")).toBe("waiting");
      await view.notify("ui/notifications/tool-input-partial", { arguments: { city: "Os" } });
      await expect.poll(() => getText(view, "#input")).toBe("Looking up Os…");
      await view.notify("ui/notifications/tool-input", INPUT);
      await expect.poll(() => getText(view, "#input")).toBe("Looking up Oslo…");
      await view.notify("ui/notifications/tool-result", RESULT);
      await expect.poll(() => getText(view, "li")).toBe("2026-12-01: -3 °C");
      expect(await getText(view, "#state")).toBe("ready");
    }));

  test("shows a result that the host sends before the view is initialized", () =>
    withView(
      "forecast",
      {
        early: [
          ["ui/notifications/tool-input", INPUT],
          ["ui/notifications/tool-result", RESULT],
        ],
      },
      async (view) => {
        await expect.poll(() => getText(view, "li")).toBe("2026-12-01: -3 °C");
        expect(await getText(view, "#state")).toBe("ready");
      },
      [
        "ui/notifications/tool-input was sent before initialized",
        "ui/notifications/tool-result was sent before initialized",
      ],
    ));

  test("reads the text of a result whose data the host removed", () =>
    withView("forecast", {}, async (view) => {
      await view.notify("ui/notifications/tool-result", { content: RESULT.content });
      await expect.poll(() => getText(view, "li")).toBe("2026-12-01: -3 °C");
    }));

  describe("a result without data or JSON", () => {
    const STORED = { content: [{ type: "text", text: "The result was stored in a file." }] };

    test("leads to another call to a tool that only reads", () =>
      withView("forecast", { responses: { "tools/call": RESULT } }, async (view) => {
        await view.notify("ui/notifications/tool-input", INPUT);
        await view.notify("ui/notifications/tool-result", STORED);
        await expect.poll(() => getText(view, "li")).toBe("2026-12-01: -3 °C");
        expect(await view.sent("tools/call")).toMatchObject([
          { params: { name: "forecast", arguments: { city: "Oslo" } } },
        ]);
      }));

    test("is an error if the host does not allow calls", () =>
      withView("forecast", { capabilities: {} }, async (view) => {
        await view.notify("ui/notifications/tool-result", STORED);
        await expect.poll(() => getText(view, "#error")).toMatch(/^capability-missing: /);
      }));

    test("is an error for a tool that changes something", () =>
      withView("count", {}, async (view) => {
        await view.notify("ui/notifications/tool-result", STORED);
        await expect.poll(() => getText(view, "#number")).toBe("failed result-unreadable");
        expect(await view.sent("tools/call")).toEqual([]);
      }));

    test("does not hide that the tool failed", () =>
      withView("forecast", {}, async (view) => {
        await view.notify("ui/notifications/tool-result", { ...STORED, isError: true });
        await expect.poll(() => getText(view, "#error")).toMatch(/^tool-failed: /);
      }));
  });

  test("keeps its state for the same call when it is displayed again", () =>
    withView("forecast", {}, async (view) => {
      const showCall = async (city: string): Promise<void> => {
        await view.notify("ui/notifications/tool-input", { arguments: { city } });
        await view.notify("ui/notifications/tool-result", RESULT);
      };
      const reload = async (): Promise<void> => {
        const before = (await view.sent("ui/notifications/initialized")).length;
        await view.frame.evaluate(() => location.reload());
        await expect
          .poll(async () => (await view.sent("ui/notifications/initialized")).length)
          .toBe(before + 1);
      };
      await showCall("Oslo");
      await expect.poll(() => getText(view, "#saved")).toBe("nothing");
      await view.frame.locator("#save").evaluate((each: HTMLElement) => each.click());
      await expect.poll(() => getText(view, "#answer")).toBe("true");
      await reload();
      await showCall("Oslo");
      await expect.poll(() => getText(view, "#saved")).toBe("Monday");
      await reload();
      await showCall("Bergen");
      await expect.poll(() => getText(view, "#saved")).toBe("nothing");
    }));

  describe("the state of a view", () => {
    const save = async (view: OpenedView, stub: string): Promise<string> => {
      await view.frame.evaluate(stub);
      await view.notify("ui/notifications/tool-result", RESULT);
      await view.frame.locator("#save").evaluate((each: HTMLElement) => each.click());
      await expect.poll(() => getText(view, "#answer")).not.toBe("");
      return getText(view, "#answer");
    };

    test("is not saved where the client has no storage, and the view knows", () =>
      withView("forecast", {}, async (view) => {
        const stub = `Object.defineProperty(window, "localStorage", { get() { throw new Error("denied"); } })`;
        expect(await save(view, stub)).toBe("false");
        expect(await getText(view, "#saved")).toBe("nothing");
      }));

    test("replaces the states of older calls when the storage is full", () =>
      withView("forecast", {}, async (view) => {
        const stub = `
          localStorage.setItem("tenon-view:old", "{}");
          localStorage.setItem("other", "kept");
          const { setItem } = Storage.prototype;
          Storage.prototype.setItem = function (...args) {
            if (localStorage.getItem("tenon-view:old")) throw new Error("full");
            setItem.apply(this, args);
          };`;
        expect(await save(view, stub)).toBe("true");
        expect(await getText(view, "#saved")).toBe("Monday");
        const kept = await view.frame.evaluate(() => Object.keys(localStorage).sort());
        expect(kept).toEqual(["other", expect.stringMatching(/^tenon-view:forecast:/)]);
      }));

    test("is part of the conversation in ChatGPT", () =>
      withView("forecast", {}, async (view) => {
        const stub = `window.openai = { setWidgetState(state) { this.widgetState = state; } }, undefined`;
        expect(await save(view, stub)).toBe("true");
        expect(await getText(view, "#saved")).toBe("Monday");
        expect(await view.frame.evaluate(() => localStorage.length)).toBe(0);
      }));
  });

  test("shows a result of two megabytes", () =>
    withView("forecast", {}, async (view) => {
      const days = Array.from({ length: 60_000 }, (_, index) => ({ date: `day ${index}`, celsius: index }));
      const large = { city: "Oslo", days };
      expect(JSON.stringify(large).length).toBeGreaterThan(2_000_000);
      await view.notify("ui/notifications/tool-result", { content: [], structuredContent: large });
      await expect.poll(() => view.frame.locator("li").count()).toBe(60_000);
    }));

  test("shows the message of a failed tool", () =>
    withView("forecast", {}, async (view) => {
      const content = [{ type: "text", text: "There is no such city." }];
      await view.notify("ui/notifications/tool-result", { content, isError: true });
      await expect.poll(() => getText(view, "#error")).toBe("tool-failed: There is no such city.");
      expect(await getText(view, "#state")).toBe("failed");
    }));

  test("shows that the call was cancelled", () =>
    withView("forecast", {}, async (view) => {
      await view.notify("ui/notifications/tool-input", INPUT);
      await view.notify("ui/notifications/tool-cancelled", { reason: "The user cancelled." });
      await expect.poll(() => getText(view, "#state")).toBe("cancelled");
    }));

  test("ignores messages from other windows", () =>
    withView("forecast", {}, async (view) => {
      await view.frame.evaluate((result) => {
        window.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: result }, "*");
      }, RESULT);
      await view.request("ping", {});
      expect(await getText(view, "#state")).toBe("waiting");
    }));

  test("responds to pings and to the request before it is removed, and rejects unknown methods", () =>
    withView("count", {}, async (view) => {
      expect(await view.request("ping", {})).toMatchObject({ result: {} });
      expect(await view.request("tools/list", {})).toMatchObject({ error: { code: -32_601 } });
      expect(await view.request("ui/resource-teardown", {})).toMatchObject({ result: {} });
      expect(await view.sent("notifications/message")).toMatchObject([{ params: { data: "unmounted" } }]);
    }));

  test("calls tools, and reads their results", () => {
    const responses = { "tools/call": { content: [{ type: "text", text: "4" }], structuredContent: 4 } };
    return withView("forecast", { responses }, async (view) => {
      await view.frame.locator("#call").evaluate((button: HTMLElement) => button.click());
      await expect.poll(() => getText(view, "#answer")).toBe("4");
      expect(await view.sent("tools/call")).toMatchObject([
        { params: { name: "temperature", arguments: { city: "Oslo" } } },
      ]);
    });
  });

  test.each([
    ["the wrapped number of older revisions", { content: [], structuredContent: { result: 4 } }, "4"],
    ["wrapped JSON", { content: [{ type: "text", text: '{"result":4}' }] }, "4"],
    ["a failure", { content: [{ type: "text", text: "It sank." }], isError: true }, "tool-failed: It sank."],
    ["a rejection", { error: { code: -32_000, message: "Denied" } }, "rejected: Denied"],
  ])("reads %s", (_name, response, answer) =>
    withView("forecast", { responses: { "tools/call": response } }, async (view) => {
      await view.frame.locator("#call").evaluate((button: HTMLElement) => button.click());
      await expect.poll(() => getText(view, "#answer")).toBe(answer);
    }),
  );

  test.each([
    ["call", "tools/call", "serverTools"],
    ["read", "resources/read", "serverResources"],
    ["link", "ui/open-link", "openLinks"],
    ["download", "ui/download-file", "downloadFile"],
  ])("does not send a request without its capability: %s", (button, method, capability) =>
    withView("forecast", { capabilities: {} }, async (view) => {
      await view.frame.locator(`#${button}`).evaluate((each: HTMLElement) => each.click());
      await expect
        .poll(() => getText(view, "#answer"))
        .toBe(`capability-missing: Strict host lacks "${capability}".`);
      expect(await view.sent(method)).toEqual([]);
    }),
  );

  test.each([
    ["message", "message"],
    ["context", "updateModelContext"],
  ])("tries a request whose capability older hosts do not announce: %s", (button, capability) =>
    withView("forecast", { capabilities: {} }, async (view) => {
      await view.frame.locator(`#${button}`).evaluate((each: HTMLElement) => each.click());
      await expect
        .poll(() => getText(view, "#answer"))
        .toBe(`capability-missing: Strict host lacks "${capability}".`);
    }),
  );

  test.each(["link", "message", "download"])("reports a rejection: %s", (button) => {
    const refusal = { isError: true };
    const responses = { "ui/open-link": refusal, "ui/message": refusal, "ui/download-file": refusal };
    return withView("forecast", { responses }, async (view) => {
      await view.frame.locator(`#${button}`).evaluate((each: HTMLElement) => each.click());
      await expect.poll(() => getText(view, "#answer")).toBe("rejected: The client refused.");
    });
  });

  test("sends every request in the format of the schema", () => {
    const responses = {
      "ui/open-link": {},
      "ui/message": {},
      "ui/download-file": {},
      "ui/update-model-context": {},
      "resources/read": { contents: [{ uri: "note://1", text: "note" }] },
    };
    return withView("forecast", { responses }, async (view) => {
      for (const button of ["link", "message", "download", "context", "read", "log"])
        await view.frame.locator(`#${button}`).evaluate((each: HTMLElement) => each.click());
      await expect.poll(() => getText(view, "#answer")).toBe('[{"uri":"note://1","text":"note"}]');
      expect(await view.sent("notifications/message")).toHaveLength(1);
      expect(await view.sent("ui/message")).toMatchObject([
        { params: { role: "user", content: [{ type: "text", text: "Thanks" }] } },
      ]);
    });
  });

  test("asks for a display mode only if the host has it", () => {
    const responses = { "ui/request-display-mode": { mode: "inline" } };
    return withView("forecast", { responses, context: {} }, async (view) => {
      await view.frame.locator("#fullscreen").evaluate((each: HTMLElement) => each.click());
      await expect.poll(() => getText(view, "#answer")).toMatch(/^capability-missing/);
      await view.notify("ui/notifications/host-context-changed", {
        availableDisplayModes: ["inline", "fullscreen"],
      });
      await view.frame.locator("#fullscreen").evaluate((each: HTMLElement) => each.click());
      await expect.poll(() => getText(view, "#answer")).toBe('"inline"');
    });
  });

  test("merges changes of the context", () =>
    withView("forecast", { context: { displayMode: "inline", locale: "nb-NO" } }, async (view) => {
      expect(await getText(view, "#mode")).toBe("inline nb-NO");
      await view.notify("ui/notifications/host-context-changed", { displayMode: "pip" });
      await expect.poll(() => getText(view, "#mode")).toBe("pip nb-NO");
      expect(await view.frame.locator("html").getAttribute("lang")).toBe("nb-NO");
    }));

  describe("the theme", () => {
    const getBackground = (view: OpenedView): Promise<string> =>
      view.frame.locator("main").evaluate((main) => getComputedStyle(main).borderTopColor);

    test.each([
      ["light", "rgb(1, 2, 3)"],
      ["dark", "rgb(4, 5, 6)"],
    ] as const)("resolves light-dark() for a %s host", (theme, color) => {
      const value = "light-dark(rgb(1, 2, 3), rgb(4, 5, 6))";
      const variables = Object.fromEntries(STYLE_VARIABLES.map((name) => [name, value]));
      return withView("forecast", { context: { theme, styles: { variables } } }, async (view) => {
        expect(await getBackground(view)).toBe(color);
        expect(await view.frame.locator("html").getAttribute("data-theme")).toBe(theme);
        // The background stays transparent, so that the host's shows.
        const scheme = await view.frame
          .locator("html")
          .evaluate((page) => getComputedStyle(page).colorScheme);
        expect(scheme).toBe("normal");
      });
    });

    test("has a default for every variable", () => {
      const theme = readFileSync(join(import.meta.dirname, "../../packages/runtime/view/theme.css"), "utf8");
      const light = /^:root \{([^}]*)\}/m.exec(theme)?.[1] ?? "";
      const names = Array.from(light.matchAll(/^\s*(--[\w-]+):/gm), ([, name = ""]) => name);
      expect(names.sort()).toEqual([...STYLE_VARIABLES].sort());
      expect(names).toHaveLength(76);
    });

    test("has defaults that follow the theme", () =>
      withView("forecast", { context: { theme: "light" } }, async (view) => {
        const light = await getBackground(view);
        await view.notify("ui/notifications/host-context-changed", { theme: "dark" });
        await expect.poll(() => getBackground(view)).not.toBe(light);
      }));
  });

  describe("the size", () => {
    const getHeights = async (view: OpenedView): Promise<number[]> =>
      (await view.sent("ui/notifications/size-changed")).map(({ params }) => Number(params?.["height"]));
    const isQuiet = async (view: OpenedView): Promise<void> => {
      const before = await getHeights(view);
      await view.page.waitForTimeout(300);
      expect(await getHeights(view)).toEqual(before);
    };

    test("is reported when the content changes, and not again", () =>
      withView("forecast", {}, async (view) => {
        await expect.poll(() => getHeights(view)).toHaveLength(1);
        const [first = 0] = await getHeights(view);
        expect(first).toBeGreaterThan(0);
        const days = Array.from({ length: 20 }, (_, index) => ({ date: `day ${index}`, celsius: index }));
        await view.notify("ui/notifications/tool-result", {
          content: [],
          structuredContent: { city: "Oslo", days },
        });
        await expect.poll(async () => (await getHeights(view)).at(-1)).toBeGreaterThan(first + 400);
        await isQuiet(view);
      }));

    test("does not grow forever with content that is taller than the window", () =>
      withView("count", {}, async (view) => {
        await expect.poll(async () => (await getHeights(view)).length).toBeGreaterThan(0);
        await isQuiet(view);
        expect((await getHeights(view)).length).toBeLessThan(4);
      }));

    test("is not reported by a view that opts out", () =>
      withView("version", {}, async (view) => {
        await view.notify("ui/notifications/tool-result", RESULT);
        await isQuiet(view);
        expect(await getHeights(view)).toEqual([]);
      }));

    test("is not reported in fullscreen, and is reported again afterward", () =>
      withView("count", { resizes: false }, async (view) => {
        await expect.poll(() => getHeights(view)).toHaveLength(1);
        await view.notify("ui/notifications/host-context-changed", { displayMode: "fullscreen" });
        await view.notify("ui/notifications/tool-result", { content: [], structuredContent: 7 });
        await expect.poll(() => getText(view, "#number")).toBe("ready 7 fullscreen");
        await isQuiet(view);
        await view.notify("ui/notifications/host-context-changed", { displayMode: "inline" });
        await expect.poll(() => getHeights(view)).toHaveLength(2);
      }));
  });

  test.each([
    ["greet", "Hello Ada", "greet Hello Ada 0"],
    ["part", "Goodbye Ada", "part Goodbye Ada 0"],
  ])("shows the tool that the host names: %s, in React", (tool, text, shown) =>
    withView(
      "greet",
      { context: { toolInfo: { tool: { name: tool, inputSchema: { type: "object" } } } } },
      async (view) => {
        await view.notify("ui/notifications/tool-result", { content: [{ type: "text", text }] });
        await expect.poll(() => getText(view, "button")).toBe(shown);
        await view.frame.locator("button").evaluate((button: HTMLElement) => button.click());
        await expect.poll(() => getText(view, "button")).toBe(shown.replace("0", "1"));
      },
    ),
  );

  test("keeps its state when the same result is sent again", () =>
    withView("greet", { capabilities: ALL_CAPABILITIES }, async (view) => {
      await view.notify("ui/notifications/tool-result", { content: [{ type: "text", text: "Hi" }] });
      await view.frame.locator("button").evaluate((button: HTMLElement) => button.click());
      await view.notify("ui/notifications/tool-result", { content: [{ type: "text", text: "Hi" }] });
      await expect.poll(() => getText(view, "button")).toBe("greet Hi 1");
    }));

  test("works in the host of the extension's own package", async () => {
    const { page, problems, close } = await openInAppBridge(browser, await views.read("forecast"));
    const frame = page.frameLocator("iframe");
    const events = (): Promise<string[]> => page.evaluate(() => window.events);
    await expect.poll(events).toContain("size");
    await page.evaluate(([input, result]) => window.showResult(input, result), [
      INPUT.arguments,
      RESULT,
    ] as const);
    await expect.poll(() => frame.locator("li").innerText()).toBe("2026-12-01: -3 °C");
    for (const button of ["call", "link", "message"])
      await frame.locator(`#${button}`).evaluate((each: HTMLElement) => each.click());
    await expect.poll(() => frame.locator("#answer").innerText()).toBe("rejected: The client refused.");
    expect(await page.evaluate(() => window.removeView())).toEqual({});
    expect((await events()).filter((each) => each !== "size")).toEqual([
      "initialized",
      "call temperature",
      "open https://example.com/",
      'message [{"type":"text","text":"Thanks"}]',
    ]);
    expect(problems).toEqual([]);
    await close();
  });
});
