import { expect, test } from "vitest";
import { setStage } from "./opened-page.js";

test("a variable with several values has a field and suggestions for each", async () => {
  await using stage = await setStage([], {
    "src/shop.ts": `
      import { Resource } from "@tenon/runtime";
      export class Shop {
        /** Searches. */
        @Resource("shop://search{?tags*}", { complete: { tags: () => ["red", "green"] } })
        search(tags: string[]): string { return "got " + JSON.stringify(tags); }
      }`,
  });
  const page = await stage.open(`#template/${encodeURIComponent("shop://search{?tags*}")}`);
  await page.getByRole("button", { name: "Add tags" }).click();
  const addItem = page.getByRole("button", { name: "Add item to tags" });
  await addItem.click();
  await addItem.click();
  await page.getByLabel("1", { exact: true }).fill("a b");
  const second = page.getByLabel("2", { exact: true });
  await second.focus();
  await page.locator(`datalist option[value="green"]`).last().waitFor({ state: "attached" });
  await second.fill("c");
  await page.keyboard.press("Control+Enter");
  await page.getByText('got ["a b","c"]').first().waitFor();
  expect(await second.inputValue()).toBe("c");
  await page.context().close();
});
