import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { Page } from "../third-party/playwright.js";

const SOURCES = resolve(import.meta.dirname, "../../examples/everything/src");

/** Returns the sources of the example that has every feature of the protocol. */
export function everythingSources(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(SOURCES).map((name) => [`src/${name}`, readFileSync(join(SOURCES, name), "utf8")]),
  );
}

/** Connects the page with a protocol revision, and waits until it has listed the tools. */
export async function speak(page: Page, revision: string): Promise<void> {
  await page.locator(".status").filter({ hasText: "Version" }).waitFor();
  const listed = page.locator(".message-row.received .method").filter({ hasText: /^tools\/list$/ });
  const before = await listed.count();
  await page.getByRole("button", { name: /^20\d\d-/ }).click();
  await page.getByLabel("Protocol revision").selectOption(revision);
  await page.getByRole("button", { name: "Connect" }).click();
  await expect.poll(() => listed.count()).toBeGreaterThan(before);
}

/** Opens another tool, prompt, or resource, as a deep link does. */
export async function lookAt(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}
