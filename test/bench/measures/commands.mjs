import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServerProcess } from "../clients/server-process.mjs";
import { runNode } from "../scratch/run.mjs";
import { cli } from "../scratch/tenon-project.mjs";
import { editedFile } from "../scratch/types-project.mjs";
import { interleave } from "../statistics.mjs";
import { medianCost } from "./compile.mjs";

/** @typedef {import("../scratch/prepare.mjs").Bench} Bench */
/** @typedef {import("../scratch/run.mjs").Cost} Cost */

/**
 * @typedef {object} CommandCosts
 * @property {number} tools
 * @property {Cost} empty an empty script in Node
 * @property {Cost} tsc `tsc --noEmit` of TypeScript 6.0
 * @property {Map<string, Record<Situation, Cost>>} commands by name
 */

/** @typedef {"cold" | "unchanged" | "edited"} Situation */

/** The arguments of each command. */
const COMMANDS = {
  inspect: ["inspect", "--json"],
  check: ["check", "--json"],
  call: ["call", "--json", "tool_7", "city=Oslo", "level=low"],
};

/** The start of each report with `--verbose`, so that no other case is measured. */
const REPORTS = {
  cold: /^Compiled the project, because no earlier compilation was kept\./,
  unchanged: /^Reused the last compilation/,
  edited: /^`tenon dev` \(process \d+\) compiled the project, because src\/tools-0\.ts has changed\./,
};

/**
 * Measures the commands that reuse compilations: without one, in an unchanged project, and immediately after an edit while
 * `tenon dev` serves the project.
 *
 * @param {Bench} bench @param {string} root from `typesProject` @param {number} tools @param {number} rounds
 * @returns {Promise<CommandCosts>}
 */
export async function measureCommands(bench, root, tools, rounds) {
  const baselines = await interleave(rounds, ["empty", "tsc"], (name) =>
    name === "empty" ? runNode(["-e", "0"], root) : runNode([bench.tsc, "--noEmit", "-p", "."], root),
  );
  const cost = (/** @type {string} */ name) => medianCost(baselines.get(name) ?? []);
  const names = Object.keys(COMMANDS);
  const alone = await interleave(rounds, names, async (name) => {
    rmSync(join(root, ".tenon", "cache"), { recursive: true, force: true });
    return [await runCommand(root, name, "cold"), await runCommand(root, name, "unchanged")];
  });
  const edited = await measureEdits(root, tools, rounds, names);
  const commands = names.map((name) => {
    const [cold = [], unchanged = []] = [0, 1].map((index) =>
      (alone.get(name) ?? []).flatMap((costs) => costs[index] ?? []),
    );
    const costs = { cold, unchanged, edited: edited.get(name) ?? [] };
    return /** @type {const} */ ([
      name,
      {
        cold: medianCost(costs.cold),
        unchanged: medianCost(costs.unchanged),
        edited: medianCost(costs.edited),
      },
    ]);
  });
  return { tools, empty: cost("empty"), tsc: cost("tsc"), commands: new Map(commands) };
}

/** @param {string} root @param {number} tools @param {number} rounds @param {readonly string[]} names */
async function measureEdits(root, tools, rounds, names) {
  const server = new ServerProcess({ args: [cli, "dev", "--port", "0", root], cwd: root });
  let version = 0;
  const edit = () => {
    version += 1;
    const { path, text } = editedFile(root, tools, version, version % 2 === 0);
    writeFileSync(path, text);
  };
  try {
    await server.waitForOutput("ready in");
    // The first edit also pays for what is loaded or compiled once.
    for (const name of names) {
      edit();
      await runCommand(root, name, "edited", false);
    }
    return await interleave(rounds, names, (name) => {
      edit();
      return runCommand(root, name, "edited");
    });
  } finally {
    await server.stop();
    const { path, text } = editedFile(root, tools, 0, false);
    writeFileSync(path, text);
  }
}

/**
 * @param {string} root @param {string} name @param {Situation} situation @param {boolean} [isChecked] whether to fail if the
 * command reports another situation
 * @returns {Promise<Cost>}
 */
async function runCommand(root, name, situation, isChecked = true) {
  const args = COMMANDS[/** @type {keyof typeof COMMANDS} */ (name)];
  const { stdout: _, stderr, ...cost } = await runNode([cli, ...args, "--verbose"], root);
  if (isChecked && !REPORTS[situation].test(stderr))
    throw new Error(`tenon ${name} was to be measured as "${situation}", and reports: ${stderr}`);
  return cost;
}
