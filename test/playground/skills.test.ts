/** Skills on the page, as clients list and read them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { skillText } from "../support/skill-application.js";
import { setStage, type Stage } from "./opened-page.js";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage([], {
    "src/orders.ts": `import { Resource, Tool } from "@tenon/runtime";

export class Orders {
  /** Finds an order. */
  @Tool({ readOnly: true, openWorld: false })
  get_order(id: string): string {
    return id;
  }

  /** The terms. */
  @Resource("orders://terms")
  terms(): string {
    return "Thirty days.";
  }
}
`,
    "skills/refunds/SKILL.md": skillText("refunds", "# Refund an order\n\nCall `get_order`."),
    "skills/refunds/references/policy.md": "# The policy\n\nThirty days.\n",
  });
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

test("the page lists skills apart from resources, and reads their files", async () => {
  const page = await stage.open();
  const resources = page.locator("section[aria-labelledby=list-resource] a");
  await page.locator("section[aria-labelledby=list-skill] a", { hasText: "refunds" }).click();
  expect(await resources.allTextContents()).toEqual([expect.stringContaining("terms")]);
  await page.getByText("The skill refunds.", { exact: true }).waitFor();
  const files = page.getByLabel("Files of the skill").getByRole("listitem");
  expect(await files.allTextContents()).toEqual([
    expect.stringMatching(/^SKILL\.md \d+ bytes$/),
    "references/policy.md 27 bytes",
  ]);
  await page.getByRole("button", { name: "Read refunds" }).click();
  await page.getByRole("heading", { name: "Refund an order" }).waitFor();
  await page.getByRole("button", { name: "references/policy.md" }).click();
  await page.getByRole("heading", { name: "The policy" }).waitFor();
});
