import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "../third-party/playwright.js";
import { findViolations } from "./accessible.js";
import { lookAt } from "./everything.js";
import { HEAVY_SERVER, LONG_NAME } from "./heavy-server.js";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;
let open: Stage["open"];

beforeAll(async () => {
  stage = await setStage([], { "src/heavy.ts": HEAVY_SERVER });
  ({ open } = stage);
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const outcome = (page: Page): Promise<string | null> => page.locator(".outcome").textContent();

async function call(page: Page, tool: string): Promise<void> {
  await page.getByRole("button", { name: `Call ${tool}` }).click();
  await page.locator(".verdict.good").waitFor();
}

test("a megabyte of text is shown in part, and the rest on request", async () => {
  const page = await open("#tool/megabyte");
  await call(page, "megabyte");
  expect((await outcome(page))?.length).toBeLessThan(60_000);
  expect(await page.locator(".outcome .markdown").count()).toBe(0);
  await page.getByRole("button", { name: /^Show \d+ more characters$/ }).click();
  await expect.poll(async () => (await outcome(page))?.endsWith("the end")).toBe(true);
  await page.locator(".call").getByRole("button", { name: "Show as JSON" }).click();
  await expect.poll(() => outcome(page)).toMatch(/… \d+ more characters/);
});

test("two thousand rows and a megabyte string are shown in part", async () => {
  const page = await open("#tool/wide");
  await call(page, "wide");
  expect(await page.locator(".outcome tbody tr").count()).toBe(500);
  expect((await outcome(page))?.length).toBeLessThan(60_000);
});

test("a picture of five megabytes is shown", async () => {
  const page = await open("#tool/photo");
  await call(page, "photo");
  const width = "document.querySelector('.outcome img').naturalWidth";
  await expect.poll(() => page.evaluate(width)).toBe(1300);
  await page.getByText("image/bmp, 4.8 MB").waitFor();
  await page.locator(".call").getByRole("button", { name: "Show as JSON" }).click();
  await expect.poll(() => outcome(page)).toContain('"mimeType": "image/bmp"');
});

test("right-to-left text begins at the right", async () => {
  const page = await open("#tool/arabic");
  await page.getByLabel("text").fill("مرحبا");
  await call(page, "arabic");
  const gap = (selector: string): Promise<number> =>
    page.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)});
      const range = document.createRange();
      range.selectNodeContents(box);
      return box.getBoundingClientRect().right - range.getBoundingClientRect().right;
    })()`);
  expect(await gap(".outcome .plain")).toBeLessThan(20);
  expect(await gap(".about")).toBeLessThan(20);
});

test("structured content is shown, and an embedded resource is read again", async () => {
  const page = await open("#tool/traced");
  await call(page, "traced");
  expect(await page.getByRole("region", { name: "_meta" }).textContent()).toBe(
    "_metaexample.com/trace4bf92f",
  );
  expect(await outcome(page)).toContain("from within");
  await page.getByRole("button", { name: "mem://inside" }).click();
  await expect.poll(() => outcome(page)).toContain("read again");
  await page.goBack();
  await page.getByRole("heading", { name: "traced" }).waitFor();
  await expect.poll(() => outcome(page)).toContain("from within");
});

test("a destructive tool requires one confirmation", async () => {
  const page = await open("#tool/wipe");
  await page.getByRole("button", { name: "Call wipe" }).click();
  const dialog = page.getByRole("dialog", { name: "Call wipe?" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.locator(".call").count()).toBe(0);
  await page.getByRole("button", { name: "Call wipe" }).click();
  await dialog.getByRole("button", { name: "Call", exact: true }).click();
  await expect.poll(() => outcome(page)).toBe("1");
  await page.getByRole("button", { name: "Call wipe" }).click();
  await expect.poll(() => outcome(page)).toBe("2");
});

test("reloading the page keeps the tool and its input", async () => {
  const page = await open("#tool/arabic");
  await page.getByLabel("text").fill("half a sentence");
  await lookAt(page, "#template/room%3A%2F%2F%7Bfloor%7D%2F%7Bdoor%7D");
  await page.getByLabel("floor").fill("3");
  await page.reload();
  await expect.poll(() => page.getByLabel("floor").inputValue()).toBe("3");
  await page.goBack();
  await expect.poll(() => page.getByLabel("text").inputValue()).toBe("half a sentence");
});

test("a template's variables are suggested given those already filled in", async () => {
  const page = await open("#template/room%3A%2F%2F%7Bfloor%7D%2F%7Bdoor%7D");
  await page.getByLabel("floor").fill("3");
  await page.getByLabel("door").focus();
  const values = "[...document.querySelectorAll('datalist[id*=door] option')].map((each) => each.value)";
  await expect.poll(() => page.evaluate(values)).toEqual(["3a", "3b"]);
  await page.getByLabel("door").fill("3b");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => outcome(page)).toContain("Room 3b of floor 3");
});

test("a prompt shows a picture", async () => {
  const page = await open("#prompt/look");
  await page.getByRole("button", { name: "Get look" }).click();
  await page.locator(".outcome img").waitFor();
  await expect.poll(() => page.evaluate("document.querySelector('.outcome img').naturalWidth")).toBe(64);
});

test("five hundred tools and a name of 128 characters fit on a phone", async () => {
  const page = await open("", { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
  const list = page.getByRole("navigation", { name: "Server contents" });
  await list.getByRole("link", { name: /^tool499/ }).waitFor();
  const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await page.evaluate(overflow)).toBe(0);
  await list.getByRole("searchbox").fill("number 499");
  await expect.poll(() => list.getByRole("link").count()).toBe(1);
  await list.getByRole("searchbox").fill(LONG_NAME);
  await list.getByRole("link").tap();
  await page.getByRole("button", { name: `Call ${LONG_NAME}` }).tap();
  await expect.poll(() => outcome(page)).toBe("long");
  expect(await page.evaluate(overflow)).toBe(0);
  expect(await findViolations(page)).toEqual([]);
});
