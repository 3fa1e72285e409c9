/**
 * Input requests with every type of elicitation form, and sampling with tools.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Locator, Page } from "../third-party/playwright.js";
import { everythingSources, speak } from "./everything.js";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;

beforeAll(async () => {
  stage = await setStage([], everythingSources());
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

async function ask(tool: string, revision = "2026-07-28"): Promise<{ page: Page; dialog: Locator }> {
  const page = await stage.open(`#tool/${tool}`);
  await speak(page, revision);
  await page.getByRole("button", { name: `Call ${tool}`, exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  return { page, dialog };
}

const getOutcome = (page: Page): Promise<string | null> => page.locator(".outcome").textContent();

test.each(["2026-07-28", "2025-11-25"])("a form's defaults are filled in, in %s", async (revision) => {
  const { page, dialog } = await ask("test_elicitation_sep1034_defaults", revision);
  expect(await dialog.getByLabel("name").inputValue()).toBe("John Doe");
  expect(await dialog.getByLabel("status").locator("option:checked").textContent()).toBe("active");
  await dialog.getByLabel("age").fill("31");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => getOutcome(page)).toContain("John Doe");
  const content = { name: "John Doe", age: 31, score: 95.5, status: "active", verified: true };
  expect(await getOutcome(page)).toContain(JSON.stringify(content));
});

test("choices show their titles, and lists of them are checkboxes", async () => {
  const { page, dialog } = await ask("test_elicitation_sep1330_enums", "2025-11-25");
  await dialog.locator("#answer-titledSingle").selectOption({ label: "Second Option" });
  await dialog.getByLabel("legacyEnum").selectOption({ label: "Option Three" });
  await dialog.locator("#answer-untitledMulti").getByLabel("option2").check();
  const titled = dialog.locator("#answer-titledMulti");
  await titled.getByLabel("First Choice").check();
  await titled.getByLabel("Third Choice").check();
  await titled.getByLabel("Third Choice").uncheck();
  await dialog.getByRole("button", { name: "Send" }).click();
  const content = {
    titledSingle: "value2",
    legacyEnum: "opt3",
    untitledMulti: ["option2"],
    titledMulti: ["value1"],
  };
  await expect.poll(() => getOutcome(page)).toContain(JSON.stringify(content));
});

test("missing values are reported before sending, and the answer may be sent without them", async () => {
  const { page, dialog } = await ask("test_input_required_result_multi_round");
  await dialog.getByRole("button", { name: "Send" }).click();
  expect(await dialog.locator(".problem").textContent()).toBe("This field is required.");
  await dialog.getByLabel("name").fill("Ada");
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await dialog.getByText("Step 2").waitFor();
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await dialog.getByRole("button", { name: "Send anyway" }).click();
  await expect.poll(() => getOutcome(page)).toContain("missing field `color`");
});

test("a model's tool call is entered in a form for its arguments", async () => {
  const { page, dialog } = await ask("test_sampling_with_tools");
  expect(await dialog.getByLabel("Model response").locator("option:checked").textContent()).toBe(
    "Call weather",
  );
  await dialog.getByLabel("city").fill("Oslo");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => getOutcome(page)).toContain("The model called weather.");
});
