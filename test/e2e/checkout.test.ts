import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { npmEnvironment, run } from "./local-registry.js";

const TIMEOUT_MS = 300_000;
const program = resolve(import.meta.dirname, "../../packages/create-mcp-server/bin/create-mcp-server.js");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tenon-checkout-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a project made by a checkout, whose packages are in no registry", { timeout: TIMEOUT_MS }, () => {
  it("carries the packages it needs, is built and answers its first call", async () => {
    const args = [program, "tasks", "--yes", "--template", "standard"];
    const { stdout } = await run(process.execPath, args, folder, npmEnvironment());
    expect(stdout).toContain(`$ npx tenon call add_task 'title=Write the first tool' priority=high`);
    expect(stdout).toContain('"title": "Write the first tool"');
    expect(existsSync(join(folder, "tasks/vendor"))).toBe(true);
  });

  it("passes its own tests", async () => {
    const { stdout } = await run("npm", ["test"], join(folder, "tasks"), npmEnvironment());
    expect(stdout).toMatch(/Tests {2}6 passed/);
  });
});
