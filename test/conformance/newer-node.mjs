import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The suite needs `fs.globSync`. */
const OLDEST = 22;

/**
 * Returns the path of a Node that can run the suite: the one that `CONFORMANCE_NODE` names, or else this one, or else Node 24
 * from npm, cached in the user's cache folder. The npm package contains the program, so no install script has to run.
 */
export function newerNode() {
  const { CONFORMANCE_NODE, XDG_CACHE_HOME } = process.env;
  if (CONFORMANCE_NODE) return CONFORMANCE_NODE;
  if (Number.parseInt(process.versions.node, 10) >= OLDEST) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(XDG_CACHE_HOME || join(homedir(), ".cache"), "tenon", "node-24");
  const program = join(folder, "node_modules", name, "bin", "node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const options = ["--no-audit", "--no-fund", "--no-save", "--ignore-scripts", "--prefix", folder];
    execFileSync("npm", ["install", ...options, `${name}@24`], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return program;
}
