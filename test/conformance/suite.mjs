import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * @typedef {object} Run
 * @property {string} name
 * @property {"conformance-alpha" | "conformance-stable"} suite The package, as installed.
 * @property {string[]} options
 * @property {true} [isStrict] Whether warnings and skipped checks are failures, as for an extension that must be declared.
 *
 * @typedef {object} Check
 * @property {string} scenario
 * @property {string} id
 * @property {"SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"} status
 * @property {string} message
 *
 * @typedef {object} Outcome
 * @property {Run} run
 * @property {Check[]} checks
 * @property {number | null} exitCode
 * @property {string} output What the suite printed.
 */

/** Revisions with scenarios in the suite, which has none for 2024-11-05. */
const REVISIONS = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/** @type {Run[]} */
export const runs = [
  ...["2025-11-25", "2026-07-28"].map((revision) => alpha(["--requirements", revision])),
  ...REVISIONS.map((revision) => alpha(["--suite", "all", "--spec-version", revision])),
  // The suite runs the scenarios of extensions only by their names.
  ...["enumeration", "manifest", "directory"].map((name) => ({
    ...alpha(["--scenario", `sep-2640-skills-${name}`]),
    isStrict: /** @type {const} */ (true),
  })),
  { name: "0.1.16 --suite all", suite: "conformance-stable", options: ["--suite", "all"] },
];

/** @param {string[]} options @returns {Run} */
function alpha(options) {
  return { name: `0.2.0-alpha.12 ${options.join(" ")}`, suite: "conformance-alpha", options };
}

/**
 * Runs the suite once, and reads the checks from the files that it writes.
 *
 * @param {string} node @param {string} url @param {Run} run @returns {Promise<Outcome>}
 */
export async function runSuite(node, url, run) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const program = join(import.meta.dirname, "../third-party/node_modules", run.suite, "dist/index.js");
    const args = [program, "server", "--url", url, ...run.options, "--output-dir", folder];
    const { exitCode, output } = await finish(node, args);
    return { run, checks: await readChecks(folder), exitCode, output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param {string} program @param {string[]} args @returns {Promise<{ exitCode: number | null, output: string }>} */
function finish(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (/** @type {Buffer} */ chunk) => {
        output += chunk.toString();
      });
    }
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, output }));
  });
}

/**
 * Reads the checks of all scenarios, each in a file `server-<scenario>-<time>/checks.json`. @param {string} folder
 * @returns {Promise<Check[]>}
 */
async function readChecks(folder) {
  const checks = [];
  for (const name of (await readdir(folder)).sort()) {
    const scenario = name.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    const found = JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8"));
    for (const { id, status, errorMessage, description } of found) {
      checks.push({ scenario, id, status, message: errorMessage ?? description });
    }
  }
  return checks;
}
