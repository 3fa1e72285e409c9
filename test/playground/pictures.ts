import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "../third-party/playwright.js";
import { expect } from "vitest";

const packages = resolve(import.meta.dirname, "../../packages");
const FOLDER = join(packages, "cli/playground/pictures");

/** The folder with the pictures of the site. */
export const SITE_PICTURES = join(packages, "docs/pictures");

/**
 * Compares the size of a picture in the documentation with the page. Bytes are not compared, since fonts and times differ
 * between machines. `PICTURES=write npm run test:playground` takes the pictures again.
 */
export async function comparePicture(page: Page, name: string, folder: string = FOLDER): Promise<void> {
  await page.mouse.move(0, 0);
  await compareFile(page, await page.screenshot({ animations: "disabled", caret: "hide" }), name, folder);
}

/** Compares a picture that was taken elsewhere, as a PNG. @param page any page */
export async function compareFile(page: Page, taken: Buffer, name: string, folder: string): Promise<void> {
  const path = join(folder, name);
  if (process.env["PICTURES"] === "write") {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, await toWebp(page, taken));
  }
  const [stored, current] = [await measureSize(page, readFileSync(path)), await measureSize(page, taken)];
  expect(stored.width).toBe(current.width);
  // The height of a view depends on the fonts of the machine.
  expect(Math.abs(stored.height / current.height - 1)).toBeLessThan(0.2);
}

/** Converts a PNG in the browser. WebP is a quarter of the size, and the package contains the pictures. */
async function toWebp(page: Page, picture: Buffer): Promise<Buffer> {
  const draw = `
    const canvas = document.createElement("canvas");
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/webp", 0.82);`;
  const url = await withBitmap<string>(page, picture, draw);
  return Buffer.from(url.replace("data:image/webp;base64,", ""), "base64");
}

function measureSize(page: Page, picture: Buffer): Promise<{ width: number; height: number }> {
  return withBitmap(page, picture, "return { width: bitmap.width, height: bitmap.height };");
}

/** Runs code with a decoded picture. @param code the code, as text because this project has no types for browsers */
function withBitmap<Value>(page: Page, picture: Buffer, code: string): Promise<Value> {
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${picture.toString("base64")}"), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    ${code}
  })()`);
}
