import type { Page } from "../third-party/playwright.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everythingSources, lookAt, speak } from "./everything.js";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;
let open: Stage["open"];

beforeAll(async () => {
  stage = await setStage([], everythingSources());
  ({ open } = stage);
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const WATCHED = "#resource/test%3A%2F%2Fwatched-resource";

async function call(page: Page, tool: string): Promise<void> {
  await lookAt(page, `#tool/${tool}`);
  await page.getByRole("button", { name: `Call ${tool}` }).click();
  await page.locator(".verdict.good").waitFor();
}

describe.each(["2026-07-28", "2025-11-25"])("in revision %s", (revision) => {
  test("lists follow changes without an edit", async () => {
    const page = await open();
    await speak(page, revision);
    const hidden = page.getByRole("link", { name: /^test_hidden_tool/ });
    await call(page, "test_trigger_tool_change");
    await hidden.waitFor();
    expect(await hidden.textContent()).toContain("new");
    await call(page, "test_trigger_tool_change");
    await hidden.waitFor({ state: "detached" });
  });

  test("a subscribed resource shows its updates until the subscription ends", async () => {
    const page = await open(WATCHED);
    await speak(page, revision);
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await page.getByText("No updates yet.").first().waitFor();
    await call(page, "test_trigger_resource_update");
    const list = page.getByRole("navigation", { name: "Server contents" });
    await list.getByText("Updated once.").waitFor();
    await call(page, "test_trigger_resource_update");
    await list.getByText("Updated 2 times.").waitFor();
    await list.getByRole("button", { name: "test://watched-resource" }).click();
    await expect.poll(() => page.locator(".outcome").textContent()).toMatch(/Changed \d+ times\./);
    await page.getByRole("button", { name: "Unsubscribe" }).click();
    await list.getByText("Updated 2 times.").waitFor({ state: "detached" });
    const timeline = page.getByRole("complementary", { name: "Messages" });
    await timeline
      .getByRole("searchbox")
      .fill(revision === "2026-07-28" ? "stream" : "resources/unsubscribe");
    await timeline.getByRole("button", { name: /^sent/ }).first().waitFor();
  });

  test("a resource has no form", async () => {
    const page = await open(WATCHED);
    await speak(page, revision);
    expect(await page.locator(".arguments").innerText()).toBe("Read watched-resource\nSubscribe");
  });

  test("a missing resource cannot be subscribed to", async () => {
    const page = await open("#resource/test%3A%2F%2Fnowhere");
    await speak(page, revision);
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect.poll(() => page.locator(".entry .problem").textContent()).toMatch(/no (such )?resource/i);
  });
});

test("messages of a subscription show its stream", async () => {
  const page = await open(WATCHED);
  await speak(page, "2026-07-28");
  const timeline = page.getByRole("complementary", { name: "Messages" });
  await timeline.getByRole("searchbox").fill("stream");
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page.getByText("No updates yet.").first().waitFor();
  const texts = await timeline.getByRole("listitem").allTextContents();
  expect(texts).toContainEqual(
    expect.stringMatching(/received notifications\/subscriptions\/acknowledgednotestream \d+/),
  );
  expect(texts).toContainEqual(expect.stringMatching(/sent subscriptions\/listenstream \d+/));
});
