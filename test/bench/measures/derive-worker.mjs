/**
 * Runs in its own process: compiles a project, edits a file of it several times, compiles again each time, and prints
 * the times.
 */
import { writeFileSync } from "node:fs";
import { createCompiler } from "@tenon/compiler";
import { editedFile } from "../scratch/types-project.mjs";

const [root = "", toolsText, editsText] = process.argv.slice(2);
const tools = Number(toolsText);

/** @param {() => import("@tenon/compiler").Compilation} work */
function measureTime(work) {
  const started = performance.now();
  const { manifest, diagnostics } = work();
  const ms = performance.now() - started;
  if (manifest?.tools.length !== tools) {
    throw new Error(
      `${manifest?.tools.length} tools of ${tools}:\n${JSON.stringify(diagnostics.slice(0, 5), null, 2)}`,
    );
  }
  return ms;
}

const compiler = createCompiler({ root });
const coldMs = measureTime(() => compiler.compile());
const edits = [];
for (let version = 1; version <= Number(editsText); version++) {
  const { path, text } = editedFile(root, tools, version, true);
  writeFileSync(path, text);
  edits.push(
    measureTime(() => {
      compiler.refresh([path]);
      return compiler.compile();
    }),
  );
}
process.stdout.write(JSON.stringify({ coldMs, edits }));
