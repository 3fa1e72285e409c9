import { readFileSync } from "node:fs";
import { thirdParty } from "../third-party/installed.js";
import type { Page } from "../third-party/playwright.js";

const AXE = readFileSync(thirdParty("axe-core/axe.min.js"), "utf8");

/**
 * Returns the accessibility violations that axe finds on the current page, such as missing names and low contrast. Frames are
 * omitted: they are views of servers, on another origin.
 */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run({ iframes: false });
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`));
  });
}
