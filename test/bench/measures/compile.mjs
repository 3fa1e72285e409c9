import { join } from "node:path";
import { rmSync, writeFileSync } from "node:fs";
import { runNode } from "../scratch/run.mjs";
import { cli } from "../scratch/tenon-project.mjs";
import { editedFile, writeTypesProject } from "../scratch/types-project.mjs";
import { interleave, median } from "../statistics.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/run.mjs").Cost} Cost */

/**
 * @typedef {object} CompilePoint
 * @property {number} tools
 * @property {Cost} tsc `tsc --noEmit` of TypeScript 6.0
 * @property {Cost} inspect without a kept compilation
 * @property {Cost} reused `tenon inspect` of an unchanged project
 * @property {Cost} build cold
 * @property {number} coldMs the first compilation in a process that has already loaded the compiler
 * @property {number} againMs each compilation after an edit that changes a type
 */

/** Creates a project like that of `tenon create`. @param {Bench} bench @param {number} tools */
export function typesProject(bench, tools) {
  const root = join(bench.folder, `types-${tools}`);
  writeTypesProject(root, bench.packages, tools);
  return root;
}

/**
 * Measures the time of the compiler compared with TypeScript itself, on the same project.
 *
 * @param {Bench} bench @param {string} root from `typesProject` @param {number} tools @param {number} rounds
 * @returns {Promise<CompilePoint>}
 */
export async function measureCompile(bench, root, tools, rounds) {
  /** @type {Record<string, () => Promise<Cost>>} */
  const commands = {
    tsc: () => runNode([bench.tsc, "--noEmit", "-p", "."], root),
    inspect: () => {
      rmSync(join(root, ".tenon", "cache"), { recursive: true, force: true });
      return inspect(root, tools);
    },
    // This runs after each of the previous ones.
    reused: () => inspect(root, tools),
    build: () => runNode([cli, "build", "."], root),
  };
  const samples = await interleave(rounds, Object.keys(commands), (name) => {
    const command = /** @type {() => Promise<Cost>} */ (commands[name]);
    return command();
  });
  const worker = join(import.meta.dirname, "derive-worker.mjs");
  const again = await runNode([worker, root, String(tools), String(Math.max(3, rounds))], root);
  const { coldMs, edits } = JSON.parse(again.stdout);
  const { path, text } = editedFile(root, tools, 0, false);
  writeFileSync(path, text);
  const cost = (/** @type {string} */ name) => medianCost(samples.get(name) ?? []);
  return {
    tools,
    tsc: cost("tsc"),
    inspect: cost("inspect"),
    reused: cost("reused"),
    build: cost("build"),
    coldMs,
    againMs: median(edits),
  };
}

/** @param {string} root @param {number} tools @returns {Promise<Cost>} */
async function inspect(root, tools) {
  const { stdout, stderr: _, ...cost } = await runNode([cli, "inspect", "--json", "."], root);
  const seen = JSON.parse(stdout).tools.length;
  if (seen !== tools) throw new Error(`tenon inspect shows ${seen} tools of ${tools}.`);
  return cost;
}

/** Returns the median of each figure. @param {Cost[]} costs @returns {Cost} */
export function medianCost(costs) {
  return {
    ms: median(costs.map((cost) => cost.ms)),
    cpuMs: median(costs.map((cost) => cost.cpuMs)),
    peakMebibytes: median(costs.map((cost) => cost.peakMebibytes)),
  };
}
