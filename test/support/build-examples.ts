import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const workspace = join(import.meta.dirname, "../..");
const tenon = join(workspace, "packages/cli/bin/tenon.js");

/** Vitest's global set-up: every example is built as its author would build it, before any test imports it. */
export default async function setup(): Promise<void> {
  const examples = join(workspace, "examples");
  await Promise.all(
    readdirSync(examples).map((name) =>
      promisify(execFile)(process.execPath, [tenon, "build", join(examples, name)]),
    ),
  );
}
