import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Runs a program to its end.
 *
 * @param {string} program @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} [env]
 * @throws {Error} with everything it printed if it fails
 */
export async function run(program, args, cwd, env = process.env) {
  try {
    return await promisify(execFile)(program, args, { cwd, env, maxBuffer: 64 << 20 });
  } catch (error) {
    const { stdout = "", stderr = "" } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${[program, ...args].join(" ")} failed in ${cwd}:\n${stdout}\n${stderr}`, {
      cause: error,
    });
  }
}

/** @typedef {{ ms: number, peakMebibytes: number, cpuMs: number }} Cost */

/**
 * Writes the resource usage of the process to a file when it ends. If the system has /proc, processor time includes
 * that of child processes that have ended: `cutime` and `cstime`, in hundredths of a second.
 */
const WITNESS = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeFileSync } from "node:fs";
const childrenMs = () => {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return 0;
  }
};
process.on("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpuMs = (userCPUTime + systemCPUTime) / 1000 + childrenMs();
  const usage = { peakMebibytes: maxRSS / 1024, cpuMs };
  writeFileSync(process.env.BENCH_WITNESS, JSON.stringify(usage));
});`)}`;

/**
 * Runs a Node script to its end, and returns its costs: the time from spawn to exit, and the resources that it reports
 * itself.
 *
 * @param {string[]} args @param {string} cwd
 * @returns {Promise<Cost & { stdout: string, stderr: string }>}
 */
export async function runNode(args, cwd) {
  const folder = mkdtempSync(join(tmpdir(), "tenon-witness-"));
  const witness = join(folder, "usage.json");
  const started = performance.now();
  const child = spawn(process.execPath, ["--import", WITNESS, ...args], {
    cwd,
    env: { ...process.env, BENCH_WITNESS: witness },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  const { ms, code } = await new Promise((resolve) => {
    child.once("close", (code) => resolve({ ms: performance.now() - started, code }));
  });
  try {
    if (code !== 0) throw new Error(`node ${args.join(" ")} failed in ${cwd}:\n${stdout}\n${stderr}`);
    return { ms, stdout, stderr, ...JSON.parse(readFileSync(witness, "utf8")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
