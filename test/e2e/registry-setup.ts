import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { removeFolder } from "../support/remove-folder.js";
import { startLocalRegistry } from "./local-registry.js";

/** Starts the registry of a group of tests, as Vitest's global setup. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-registry-"));
  const { url, stop } = await startLocalRegistry(folder);
  provide("registry", { url, folder });
  return async () => {
    await stop();
    removeFolder(folder);
  };
}
