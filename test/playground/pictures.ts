import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const FOLDER = resolve(import.meta.dirname, "../../packages/cli/playground/pictures");

/**
 * Holds a picture in the documentation to the size of what is seen: fonts and times differ between machines, so bytes
 * are not compared. `PICTURES=write npm run test:playground` takes the pictures again.
 */
export async function comparePicture(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  const taken = await page.screenshot({ animations: "disabled", caret: "hide" });
  const path = join(FOLDER, name);
  if (process.env["PICTURES"] === "write") {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(path, taken);
  }
  expect(sizeOf(readFileSync(path))).toEqual(sizeOf(taken));
}

/** As the header of a PNG has it. */
function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}
