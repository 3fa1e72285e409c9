import type { Page } from "../third-party/playwright.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lookAt, speak } from "./everything.js";
import { LONG_WORK } from "./long-work.js";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;
let open: Stage["open"];

beforeAll(async () => {
  stage = await setStage([], { "src/long-work.ts": LONG_WORK });
  ({ open } = stage);
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const outcome = (page: Page): Promise<string | null> => page.locator(".outcome").textContent();

async function call(page: Page, tool: string): Promise<void> {
  await lookAt(page, `#tool/${tool}`);
  await page.getByRole("button", { name: `Call ${tool}` }).click();
}

describe.each(["2026-07-28", "2025-11-25"])("a long call in revision %s", (revision) => {
  test("shows its progress and its log, and can be cancelled", async () => {
    const page = await open("#tool/stopped");
    await speak(page, revision);
    await call(page, "stopped");
    await page.locator(".outcome").waitFor();
    const before = Number(await outcome(page));
    await call(page, "boil");
    const bar = page.getByRole("progressbar", { name: "Progress" });
    await bar.waitFor();
    expect([await bar.getAttribute("value"), await bar.getAttribute("max")]).toEqual(["1", "3"]);
    await page.locator(".progress").getByText("boiling").waitFor();
    const log = page.getByRole("region", { name: "Log" });
    await log.getByText("The timer is broken.").waitFor();
    expect(await log.textContent()).toBe("warningwaterhoterrorThe timer is broken.");
    await page
      .locator(".elapsed")
      .getByText(/^\d+ s$/)
      .waitFor();
    await page.getByRole("button", { name: "Cancel call" }).click();
    await expect.poll(() => outcome(page)).toBe("You cancelled the call.");
    expect(await bar.count()).toBe(0);
    await call(page, "stopped");
    await expect.poll(() => outcome(page)).toBe(String(before + 1));
  });

  test("shows an indeterminate bar without a total", async () => {
    const page = await open();
    await speak(page, revision);
    await call(page, "stir");
    const bar = page.getByRole("progressbar", { name: "Progress" });
    await bar.waitFor();
    expect(await bar.getAttribute("value")).toBeNull();
    expect(await page.locator(".progress").textContent()).toBe("7");
  });

  test("reports a timeout", async () => {
    const page = await open();
    await speak(page, revision);
    await call(page, "late");
    await expect
      .poll(() => page.locator(".failure").textContent())
      .toMatch(/took longer than .* and was stopped/);
  });
});

test("a question is withdrawn when its call times out", async () => {
  const page = await open();
  await speak(page, "2025-11-25");
  await call(page, "hurry");
  await page.getByRole("dialog", { name: "The server requests input" }).waitFor();
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await expect.poll(() => page.locator(".failure").textContent()).toMatch(/took longer than/);
});

test("a thousand of ten thousand messages are kept, and a hundred shown at first", async () => {
  const page = await open();
  await speak(page, "2026-07-28");
  await call(page, "chatter");
  await expect.poll(() => outcome(page)).toBe("logged");
  const log = page.getByRole("region", { name: "Log" });
  await log.getByText("line 10000").waitFor();
  expect(await log.locator(".log").count()).toBe(200);
  const timeline = page.getByRole("complementary", { name: "Messages" });
  expect(await timeline.getByRole("heading").textContent()).toBe("Messages 1000");
  expect(await timeline.getByRole("listitem").count()).toBe(100);
  await timeline.getByRole("button", { name: "Show older messages" }).click();
  await expect.poll(() => timeline.getByRole("listitem").count()).toBe(200);
  await timeline.getByRole("searchbox").fill("line 9990");
  await expect.poll(() => timeline.getByRole("listitem").count()).toBe(1);
});

test("after a crash during a call, an edit starts the server again", async () => {
  const page = await open();
  await speak(page, "2026-07-28");
  await call(page, "crash");
  await expect.poll(() => outcome(page)).toBe("The server exited before it responded.");
  stage.project.write({ "src/long-work.ts": LONG_WORK.replace("Ends the server.", "Ends everything.") });
  await page.getByText("Ends everything.").first().waitFor();
  await call(page, "stopped");
  await expect.poll(() => outcome(page)).toBe("0");
});
