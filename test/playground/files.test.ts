/** Files in the forms of the page. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { setStage, type Stage } from "./opened-page.js";

const UPLOADS = `import { Tool } from "@tenon/runtime";

export class Uploads {
  /**
   * Describes notes.
   * @param first The first note
   * @accept text/plain
   */
  @Tool({ readOnly: true, openWorld: false })
  async describe_notes(first: File, others: File[] = []): Promise<string> {
    const texts = [first, ...others].map(async ({ name, type }, index) => {
      return \`\${name} \${type} \${await [first, ...others][index]?.text()}\`;
    });
    return (await Promise.all(texts)).join("; ");
  }
}
`;

let stage: Stage;
beforeAll(async () => {
  stage = await setStage([], { "src/uploads.ts": UPLOADS });
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
});

const toFile = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

test("a file is chosen in the form, and sent with its name and its type", async () => {
  const page = await stage.open();
  await page.getByRole("link", { name: "Start with describe_notes" }).click();
  const first = page.locator('input[type="file"]').first();
  expect(await first.getAttribute("accept")).toBe("text/plain");
  await first.setInputFiles(toFile("a b.txt", "hello"));
  await page.getByText("a b.txt, 5 bytes").waitFor();
  await page.getByRole("button", { name: "Call describe_notes" }).click();
  await page.getByText("a b.txt text/plain hello", { exact: true }).waitFor();
});

test("a file that does not fit is reported at the field", async () => {
  const page = await stage.open();
  await page.getByRole("link", { name: "Start with describe_notes" }).click();
  const first = page.locator('input[type="file"]').first();
  await first.setInputFiles({ ...toFile("a.png", "x"), mimeType: "image/png" });
  await page.getByText("a.png,").waitFor();
  await page.getByRole("button", { name: "Call describe_notes" }).click();
  await page.getByText("must be a file of type text/plain").first().waitFor();
});
