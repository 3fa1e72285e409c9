/**
 * `npm run release`: gives all published packages the next version, builds, commits, publishes, and tags them. If it is run
 * again after a failure, it continues where it stopped, and publishes nothing twice.
 *
 * @see ../.github/RELEASING.md
 * @module
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installFolder } from "./install-folder.mjs";
import { PUBLISHED, WORKSPACE } from "./locked-packages.mjs";

const CHANGESET = join(import.meta.dirname, "node_modules/.bin/changeset");

/** Folders whose packages depend on the published ones in the version of this repository. */
const USERS = ["examples"];

const PINNED = ["dependencies", "devDependencies"];

try {
  release();
} catch (error) {
  process.stderr.write(`\nNot released: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function release() {
  if (output("git", "status", "--porcelain") !== "") throw new Error("commit or stash your changes first.");
  installFolder(import.meta.dirname);
  if (changesets().length > 0) run(CHANGESET, "version");
  nameRepository();
  const version = packageIn("packages/runtime").version;
  for (const folder of users()) useVersion(folder, version);
  run("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund");
  run("npx", "prettier", "--write", "--log-level", "warn", ...PUBLISHED, ...USERS);
  if (output("git", "status", "--porcelain") !== "") {
    run("git", "add", "--all");
    run("git", "commit", "--quiet", "--message", `Release ${version}`);
  }
  run("npm", "run", "build");
  run(CHANGESET, "publish");
  process.stdout.write(`\n${version} is published. Now: git push --follow-tags\n`);
}

function changesets() {
  return readdirSync(join(WORKSPACE, ".changeset")).filter((name) => /^(?!README).*\.md$/.test(name));
}

/** npm accepts provenance only for packages that name the repository in which they were built. */
function nameRepository() {
  const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: name } = process.env;
  if (host === undefined || name === undefined) return;
  for (const directory of PUBLISHED) {
    const repository = { type: "git", url: `git+${host}/${name}.git`, directory };
    writePackage(directory, { ...packageIn(directory), repository });
  }
}

function users() {
  return USERS.flatMap((folder) =>
    readdirSync(join(WORKSPACE, folder)).map((name) => join(folder, name)),
  ).filter((folder) => existsSync(join(WORKSPACE, folder, "package.json")));
}

/** @param {string} folder @param {string} version */
function useVersion(folder, version) {
  const ours = new Set(PUBLISHED.map((each) => packageIn(each).name));
  const file = packageIn(folder);
  for (const kind of PINNED) {
    for (const name of Object.keys(file[kind] ?? {})) if (ours.has(name)) file[kind][name] = version;
  }
  writePackage(folder, file);
}

/** @param {string} folder */
function packageIn(folder) {
  return JSON.parse(readFileSync(join(WORKSPACE, folder, "package.json"), "utf8"));
}

/** @param {string} folder @param {object} file */
function writePackage(folder, file) {
  writeFileSync(join(WORKSPACE, folder, "package.json"), `${JSON.stringify(file, null, 2)}\n`);
}

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  process.stdout.write(`\n$ ${[program, ...args].join(" ")}\n`);
  const { status } = spawnSync(program, args, { cwd: WORKSPACE, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed. Fix the cause and run this again.`);
}

/** @param {string} program @param {string[]} args */
function output(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: WORKSPACE, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}
