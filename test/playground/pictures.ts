import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "../third-party/playwright.js";
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
    writeFileSync(path, await asWebp(page, taken));
  }
  expect(await sizeOf(page, readFileSync(path))).toEqual(await sizeOf(page, taken));
}

/** The browser knows how to: a quarter of the bytes of a PNG, and the package has the pictures in it. */
async function asWebp(page: Page, picture: Buffer): Promise<Buffer> {
  const draw = `
    const canvas = document.createElement("canvas");
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return canvas.toDataURL("image/webp", 0.82);`;
  const url = await withBitmap<string>(page, picture, draw);
  return Buffer.from(url.replace("data:image/webp;base64,", ""), "base64");
}

function sizeOf(page: Page, picture: Buffer): Promise<{ width: number; height: number }> {
  return withBitmap(page, picture, "return { width: bitmap.width, height: bitmap.height };");
}

/** @param code of the page: text, since this project's types know no browser */
function withBitmap<Value>(page: Page, picture: Buffer, code: string): Promise<Value> {
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${picture.toString("base64")}"), (each) => each.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    ${code}
  })()`);
}
