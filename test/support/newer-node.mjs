import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The conformance suite needs `fs.globSync`; the inspector declares 22.19. */
const OLDEST = { major: 22, minor: 19 };

/**
 * Returns the path of a Node for programs that do not run on Node 20: the one that `NEWER_NODE` names, or else this one, or
 * else Node 24 from npm, cached in the user's cache folder. The npm package contains the program, so no install script has
 * to run.
 */
export function newerNode() {
  const { NEWER_NODE, XDG_CACHE_HOME } = process.env;
  if (NEWER_NODE) return NEWER_NODE;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return process.execPath;
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
