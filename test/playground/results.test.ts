import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { Page } from "../third-party/playwright.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;
let open: Stage["open"];

beforeAll(async () => {
  stage = await setStage();
  ({ open } = stage);
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const outcome = (page: Page): Promise<string | null> => page.locator(".outcome").textContent();

async function plan(page: Page, to: string): Promise<void> {
  await page.getByLabel("to", { exact: true }).fill(to);
  await page.getByLabel("carriage").selectOption("first");
  await page.getByRole("button", { name: "Call plan" }).click();
  await page.getByRole("cell", { name: to }).waitFor();
}

async function connectAs(page: Page, settings: Record<string, string>): Promise<void> {
  await page.getByRole("button", { name: /^20\d\d-/ }).click();
  for (const [label, value] of Object.entries(settings))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole("button", { name: "Connect" }).click();
}

describe("a result", () => {
  test("shows Markdown, pictures, and links without loading anything", async () => {
    const page = await open("#tool/write");
    await page.getByLabel("city").fill("Bergen");
    await page.getByRole("button", { name: "Call write" }).click();
    await page.getByRole("heading", { name: "Bergen" }).waitFor();
    expect(await page.locator(".markdown strong").textContent()).toBe("two");
    expect(await page.locator(".markdown").textContent()).toContain("<img src=x onerror=alert(1)>");
    expect(await page.locator(".markdown img").count()).toBe(0);
    const picture = page.getByRole("img", { name: /image\/svg/ });
    expect(await picture.evaluate((each) => (each as unknown as { naturalWidth: number }).naturalWidth)).toBe(
      320,
    );
    await page.getByRole("button", { name: "The guide" }).click();
    await page.getByRole("heading", { name: "Guide to Bergen" }).waitFor();
    expect(await page.getByLabel("city").inputValue()).toBe("Bergen");
  });

  test("has a player if it contains audio", async () => {
    const page = await open("#tool/bell");
    await page.getByRole("button", { name: "Call bell" }).click();
    const length = "document.querySelector('audio')?.duration";
    await expect.poll(() => page.evaluate(length)).toBeCloseTo(0.002);
  });

  test("shows a prompt's messages, and suggests its arguments", async () => {
    const page = await open("#prompt/advise");
    await page.getByLabel("mood").focus();
    await expect
      .poll(() =>
        page.locator("datalist option").evaluateAll((all) => all.map((each) => each.getAttribute("value"))),
      )
      .toEqual(["calm", "busy"]);
    await page.getByLabel("city").fill("Bergen");
    await page.getByLabel("mood").fill("calm");
    await page.getByLabel("mood").press("Control+Enter");
    await expect.poll(() => outcome(page)).toBe("Have a model plan a trip.userPlan a calm trip to Bergen.");
  });

  test("is produced for the simulated principal", async () => {
    const page = await open("#tool/whoami");
    await connectAs(page, { "Act as": "ada", Scopes: "trips:read trips:book", Claims: '{"role":"guide"}' });
    await page.getByRole("button", { name: "Call whoami" }).click();
    await expect.poll(() => outcome(page)).toBe("ada, guide: trips:read, trips:book");
    await connectAs(page, { "Act as": "", Scopes: "", Claims: "" });
    await page.getByRole("button", { name: "Call whoami" }).click();
    await expect.poll(() => outcome(page)).toBe("nobody");
  });

  test("uses the roots entered by hand, in either era", async () => {
    const page = await open("#tool/folders");
    const connect = async (revision: string, roots: string): Promise<void> => {
      await page.getByRole("button", { name: /^20\d\d-/ }).click();
      await page.getByLabel("Protocol revision").selectOption(revision);
      await page.getByLabel("Roots").fill(roots);
      await page.getByRole("button", { name: "Connect" }).click();
    };
    for (const revision of ["2025-11-25", "2026-07-28"]) {
      await connect(revision, `file:///home/ada\nfile:///srv/${revision}`);
      await page.getByRole("button", { name: "Call folders" }).click();
      await expect.poll(() => outcome(page)).toBe(`file:///home/adafile:///srv/${revision}`);
    }
    // Settings are stored for the next page.
    await connect("2026-07-28", "");
  });

  test("uses a model's reply entered by hand", async () => {
    const page = await open("#tool/motto");
    await page.getByRole("button", { name: "Call motto" }).click();
    const dialog = page.getByRole("dialog", { name: "The server requests a model response" });
    expect(await dialog.textContent()).toContain("A motto, please.");
    await dialog.getByLabel("Response text").fill("Never mind the rain.");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => outcome(page)).toBe("Never mind the rain.");
  });
});

describe("the timeline", () => {
  test("lists each message with its time, can be filtered, and opens messages", async () => {
    const page = await open("#tool/whoami");
    await page.getByRole("button", { name: "Call whoami" }).click();
    await expect.poll(() => outcome(page)).toBe("nobody");
    const timeline = page.getByRole("complementary", { name: "Messages" });
    await timeline.getByRole("searchbox").fill("tools/call");
    await expect
      .poll(() => timeline.getByRole("listitem").allTextContents())
      .toEqual([
        expect.stringMatching(/^←received tools\/call[\d.]+ ms$/),
        expect.stringMatching(/^→sent tools\/call[\d.]+ s$/),
      ]);
    await timeline.getByRole("button", { name: /^received/ }).click();
    expect(await timeline.getByRole("region").textContent()).toContain('"text": "nobody"');
  });
});

describe("a call", () => {
  test("shows the size of its result, and reports data that is sent twice", async () => {
    const page = await open("#tool/plan");
    await plan(page, "Bergen");
    const size = page.locator(".size");
    expect(await size.textContent()).toMatch(
      /^\d+ characters, about \d+ tokens, sent twice: as text and as data$/,
    );
  });

  test("can be compared with another call", async () => {
    const page = await open("#tool/plan");
    await plan(page, "Bergen");
    await plan(page, "Voss");
    await page.getByLabel("Compare with another call").selectOption({ index: 1 });
    const lines = page.getByRole("region", { name: "Changed lines" });
    await expect.poll(() => lines.locator(".removed").allTextContents()).toContain('-     "to": "Bergen",\n');
    await expect.poll(() => lines.locator(".added").allTextContents()).toContain('+     "to": "Voss",\n');
  });

  test("is saved, and available after a reload", async () => {
    const page = await open("#tool/plan");
    await plan(page, "Voss");
    await page.getByRole("button", { name: "Save call" }).click();
    await page.getByLabel("Name", { exact: true }).fill("to Voss");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "to Voss", exact: true }).waitFor();
    const next = await open("#tool/plan");
    await next.getByRole("button", { name: "to Voss", exact: true }).click();
    expect(await next.getByLabel("to", { exact: true }).inputValue()).toBe("Voss");
    await next.getByRole("button", { name: "Delete to Voss" }).click();
    await expect.poll(() => next.getByRole("button", { name: "to Voss", exact: true }).count()).toBe(0);
  });

  test("can be copied as a passing test", async () => {
    const page = await open("#tool/book", { permissions: ["clipboard-read", "clipboard-write"] });
    const copyTest = async (): Promise<string> => {
      await page.getByRole("button", { name: "Copy as test" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      return page.evaluate("navigator.clipboard.readText()");
    };
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByRole("button", { name: "Call book" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("name").fill("Ada");
    await dialog.getByLabel("seat").selectOption("window");
    await dialog.getByLabel("travelers").fill("3");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => outcome(page)).toContain("Booked for Ada");
    const accepted = await copyTest();
    expect(accepted).toMatchSnapshot();
    await page.goto(`${stage.project.url}#tool/plan`);
    await page.getByLabel("days").fill("40");
    await page.getByRole("button", { name: "Call plan" }).click();
    await page.locator(".failure").waitFor();
    const rejected = await copyTest();
    stage.project.write({
      "test/book.test.ts": accepted,
      "test/rejected.test.ts": rejected,
      "vitest.config.ts": `import { tenon } from "@tenon/cli/vitest";
        import { defineConfig } from "vitest/config";
        export default defineConfig({ plugins: [tenon()] });`,
    });
    const vitest = resolve(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");
    const { stdout } = await promisify(execFile)(process.execPath, [vitest, "run", "--testTimeout=180000"], {
      cwd: stage.project.root,
      env: { ...process.env, NO_COLOR: "1" },
    });
    expect(stdout).toMatch(/Tests\s+2 passed/);
  });
});
