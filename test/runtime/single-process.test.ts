/** Modules that a single-process server loads. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bundle } from "../support/bundle.mjs";

const folder = mkdtempSync(join(tmpdir(), "tenon-single-"));
afterAll(() => rmSync(folder, { recursive: true }));

const clusterFilesIn = async (entry: string): Promise<string[]> => {
  const files = await bundle(join(import.meta.dirname, entry), join(folder, "server.mjs"));
  expect(files.length).toBeGreaterThan(100);
  return files.filter((file) => file.includes("/cluster/"));
};

test.each(["fixture/serve.ts", "tasks/serve.ts"])(
  "a single-process server contains no code for several processes: %s",
  async (entry) => {
    expect(await clusterFilesIn(entry)).toEqual([]);
  },
);

test("a server that shares a store contains the code for several processes", async () => {
  expect(await clusterFilesIn("tasks/work.ts")).not.toEqual([]);
});
