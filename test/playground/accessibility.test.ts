import type { Page } from "../third-party/playwright.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findViolations } from "./accessible.js";
import { setStage, type Stage } from "./opened-page.js";
import { comparePicture, SITE_PICTURES } from "./pictures.js";

let stage: Stage;
let open: Stage["open"];

beforeAll(async () => {
  stage = await setStage();
  ({ open } = stage);
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

async function plan(page: Page): Promise<void> {
  await page.getByLabel("to", { exact: true }).fill("Bergen");
  await page.getByLabel("Type of how").selectOption({ label: "plane" });
  await page.getByLabel("bags").fill("2");
  await page.getByRole("button", { name: "Call plan" }).click();
  await page.getByRole("region", { name: "Table" }).waitFor();
}

describe("with only the keyboard", () => {
  test("an entry can be found, filled in, and called", async () => {
    const page = await open();
    await page.getByRole("link", { name: /^book/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("book");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "book" }).waitFor();
    const to = page.getByLabel("to", { exact: true });
    for (let steps = 0; steps < 20 && !(await to.evaluate((each) => each.matches(":focus"))); steps += 1)
      await page.keyboard.press("Tab");
    await page.keyboard.type("Bergen");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("Ada");
    await page.keyboard.press("Tab");
    await page.keyboard.type("aisle");
    await page.keyboard.press("Tab");
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => page.locator(".outcome").textContent())
      .toBe("Booked for Ada and 1 others, aisle.");
    expect(await to.evaluate((each) => each.matches(":focus"))).toBe(true);
  });

  test("Esc cancels a question", async () => {
    const page = await open("#tool/book");
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".outcome").textContent()).toBe("Nothing was booked.");
  });
});

describe.each(["light", "dark"] as const)("in %s colors", (colorScheme) => {
  test("axe finds no violation", async () => {
    const page = await open("#tool/plan", { colorScheme });
    await plan(page);
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel("days").fill("40");
    await page.getByRole("button", { name: "Call plan" }).click();
    await page.locator(".failure").waitFor();
    await page.getByLabel("Compare with another call").selectOption({ index: 1 });
    await page.locator(".message-row").first().click();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: /^20\d\d-/ }).click();
    expect(await findViolations(page)).toEqual([]);
  });
});

test("a phone shows one pane at a time, and nothing exceeds the width of the screen", async () => {
  const page = await open("", PHONE);
  const overflow = (): Promise<number> =>
    page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  await page.getByRole("link", { name: /^plan/ }).tap();
  await plan(page);
  expect(await page.getByRole("navigation", { name: "Server contents" }).isVisible()).toBe(false);
  expect(await overflow()).toBe(0);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("button", { name: "Messages", exact: true }).tap();
  await page.getByRole("complementary", { name: "Messages" }).waitFor();
  expect(await overflow()).toBe(0);
  await page.getByRole("button", { name: "Server", exact: true }).tap();
  await page.getByRole("link", { name: /^book/ }).waitFor();
  expect(await overflow()).toBe(0);
});

describe("the pictures in the documentation", () => {
  test("show a call", async () => {
    const page = await open("#tool/plan", { viewport: { width: 1280, height: 960 } });
    await plan(page);
    await comparePicture(page, "call.webp");
  });

  test.each([
    ["light", "playground.webp"],
    ["dark", "playground-dark.webp"],
  ] as const)("show a call in %s colors on the landing page", async (colorScheme, name) => {
    const viewport = { width: 1280, height: 1112 };
    const page = await open("#tool/plan", { colorScheme, viewport, deviceScaleFactor: 2 });
    await plan(page);
    await comparePicture(page, name, SITE_PICTURES);
  });

  test("show a question in dark colors", async () => {
    const page = await open("#tool/book", { colorScheme: "dark", viewport: { width: 1280, height: 640 } });
    await page.getByLabel("to", { exact: true }).fill("Bergen");
    await page.getByRole("button", { name: "Call book" }).click();
    await page.getByRole("dialog").getByLabel("name").fill("Ada");
    await comparePicture(page, "question.webp");
  });

  test("show the result of a call on a phone", async () => {
    const page = await open("#tool/write", PHONE);
    await page.getByLabel("city").fill("Bergen");
    await page.getByRole("button", { name: "Call write" }).click();
    await page.getByRole("heading", { name: "Bergen" }).waitFor();
    await comparePicture(page, "phone.webp");
  });
});
