import type { Locator, Page } from "../third-party/playwright.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everythingSources, lookAt, speak } from "./everything.js";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage([], everythingSources());
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const task = (page: Page): Locator => page.getByRole("region", { name: "Task" });
const outcome = (page: Page): Promise<string | null> => page.locator(".outcome").textContent();

async function open(hash: string, revision = "2026-07-28"): Promise<Page> {
  const page = await stage.open(hash);
  await speak(page, revision);
  return page;
}

describe("a tool with tasks", () => {
  test("shows the status of its task until the result", async () => {
    const page = await open("#tool/slow_compute");
    await page.getByLabel("seconds").fill("1");
    await page.getByLabel("label").fill("pi");
    await page.getByRole("button", { name: "Call slow_compute" }).click();
    await task(page).getByText("The task is running").waitFor();
    await expect.poll(() => outcome(page)).toBe("Computed pi in 1 s.");
    await task(page).getByText("The task is complete").waitFor();
    expect(await task(page).textContent()).toMatch(/polled (once|\d+ times)$/);
    const timeline = page.getByRole("complementary", { name: "Messages" });
    await timeline.getByRole("searchbox").fill("tasks/get");
    await timeline
      .getByRole("button", { name: /^received tasks\/get/ })
      .first()
      .waitFor();
  });

  test("can be called without a task", async () => {
    const page = await open("#tool/slow_compute");
    await page.getByLabel("seconds").fill("0");
    await page.getByLabel("Run as a task").uncheck();
    await page.getByRole("button", { name: "Call slow_compute" }).click();
    await expect.poll(() => outcome(page)).toBe("Computed something in 0 s.");
    expect(await task(page).count()).toBe(0);
  });

  test("returns its result directly in older revisions", async () => {
    const page = await open("#tool/slow_compute", "2025-11-25");
    await page.getByLabel("seconds").fill("0");
    expect(await page.getByLabel("Run as a task").count()).toBe(0);
    await page.getByRole("button", { name: "Call slow_compute" }).click();
    await expect.poll(() => outcome(page)).toBe("Computed something in 0 s.");
    expect(await task(page).count()).toBe(0);
  });

  test("can be cancelled", async () => {
    const page = await open("#tool/slow_compute");
    await page.getByLabel("seconds").fill("3600");
    await page.getByRole("button", { name: "Call slow_compute" }).click();
    await task(page).getByText("The task is running").waitFor();
    await page.getByRole("button", { name: "Cancel call" }).click();
    await expect.poll(() => outcome(page)).toBe("The task was cancelled.");
    await task(page).getByText("The task was cancelled").waitFor();
  });

  test("can ask two questions at the same time", async () => {
    const page = await open("#tool/multi_input");
    await page.getByRole("button", { name: "Call multi_input" }).click();
    const dialog = page.getByRole("dialog", { name: "The server requests input" });
    for (const [question, name] of [
      ["Who writes?", "Ada"],
      ["Who reads?", "Ben"],
    ] as const) {
      await dialog.getByText(question).waitFor();
      await dialog.getByLabel("name").fill(name);
      await dialog.getByRole("button", { name: "Send" }).click();
    }
    await expect.poll(() => outcome(page)).toBe("Ada writes to Ben.");
    expect(await page.getByRole("list", { name: "Your answers" }).textContent()).toContain("Ada");
  });

  test("fails with its own message", async () => {
    const page = await open("#tool/protocol_error_job");
    await page.getByRole("button", { name: "Call protocol_error_job" }).click();
    await expect.poll(() => outcome(page)).toContain("The job broke down, as it always does.");
    await task(page).getByText("The task failed").waitFor();
  });
});

describe("a tool that requires a task", () => {
  test("runs as a task", async () => {
    const page = await open("#tool/failing_job");
    await page.getByText("This tool always runs as a task.").waitFor();
    await page.getByRole("button", { name: "Call failing_job" }).click();
    await expect.poll(() => outcome(page)).toBe("The job failed, as it always does.");
    await task(page).getByText("The task is complete").waitFor();
  });

  test("may ask within the call, before the task exists", async () => {
    const page = await open("#tool/failing_job");
    await lookAt(page, "#tool/test_tool_with_task");
    await page.getByRole("button", { name: "Call test_tool_with_task" }).click();
    await page.getByRole("dialog").getByLabel("name").fill("Ada");
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect.poll(() => outcome(page)).toBe("Hello, Ada! The work is done.");
    await task(page).getByText("The task is complete").waitFor();
  });
});
