import { join } from "node:path";
import { readdirSync } from "node:fs";
import { buildProject } from "@tenon/cli";

const examples = join(import.meta.dirname, "../../examples");

/** Vitest's global set-up: every example is built once, as its author would, before any test imports it. */
export default async function setup(): Promise<void> {
  for (const name of readdirSync(examples)) {
    const { compilation } = await buildProject({ root: join(examples, name) });
    const errors = compilation.diagnostics.filter((each) => each.severity === "error");
    if (errors.length > 0)
      throw new Error(`examples/${name} does not build:\n${JSON.stringify(errors, null, 2)}`);
  }
}
