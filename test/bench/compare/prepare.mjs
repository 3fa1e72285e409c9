/**
 * Installs the rivals and builds their servers, in a scratch folder: `measured/` has the three tools, `probes/` those that
 * misbehave.
 * @module
 */
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { installFolder } from "../../../.ci/install-folder.mjs";
import { newerNode } from "../../support/newer-node.mjs";
import { installedVersion, installInto, packPackage } from "../scratch/packages.mjs";
import { run } from "../scratch/run.mjs";
import { buildSubject, buildTenonServer, SUBJECTS } from "../scratch/tenon-project.mjs";

/** @import { Command } from "../clients/server-process.mjs" */
/** @import { Rival } from "./rivals.mjs" */
/** @typedef {"measured" | "probes"} Variant */

/**
 * @typedef {object} PreparedRival
 * @property {Rival} rival
 * @property {string} version
 * @property {{ run: string, build: string }} installed folders with the `node_modules` of a deployed server, and of its project
 * @property {(transport: "stdio" | "http", variant?: Variant) => Command} command
 * @property {URL} url where it serves HTTP
 */

const rivalsFolder = join(import.meta.dirname, "../rivals");

/** The path of every server. */
const PATH = "/mcp";

/**
 * Installs one rival and builds its servers.
 *
 * @param {Rival} rival @param {string} scratch @returns {Promise<PreparedRival>}
 * @throws Error if its packages do not install, or it does not build
 */
export async function prepareRival(rival, scratch) {
  const port = await freePort();
  const installed = rival.name === "tenon" ? await prepareTenon(scratch) : installRival(rival);
  /** @type {(variant: Variant) => string} */
  const root = (variant) => join(scratch, variant, "rivals", rival.name);
  const node = rival.needsNewerNode ? newerNode() : process.execPath;
  // Frameworks that report their use to their authors do not here.
  const env = { NODE_ENV: "production", DO_NOT_TRACK: "1", PORT: String(port), __PORT: String(port) };
  for (const variant of /** @type {const} */ (["measured", "probes"])) {
    if (rival.name === "tenon") continue;
    copyRival(rival, join(scratch, variant));
    if (rival.build !== undefined)
      await build(node, rival.build, root(variant), { ...env, ...probes(variant) });
  }
  return {
    rival,
    version: installedVersion(installed.run, rival.package),
    installed,
    url: new URL(`http://127.0.0.1:${port}${PATH}`),
    command: (transport, variant = "measured") => ({
      node,
      args: [
        join(root(variant), rival.entries?.[transport] ?? "server.mjs"),
        ...(transport === "http" ? ["--http"] : []),
      ],
      cwd: root(variant),
      env: { ...env, ...probes(variant) },
    }),
  };
}

/** @param {Variant} variant @returns {Record<string, string>} */
function probes(variant) {
  return variant === "probes" ? { BENCH_PROBES: "1" } : {};
}

/** @param {Rival} rival */
function installRival({ name }) {
  const folder = join(rivalsFolder, name);
  installFolder(folder);
  return { run: folder, build: folder };
}

/**
 * Copies the sources of a rival next to the tools, with a link to its packages.
 *
 * @param {Rival} rival @param {string} folder
 */
function copyRival({ name }, folder) {
  const from = join(rivalsFolder, name);
  const to = join(folder, "rivals", name);
  mkdirSync(to, { recursive: true });
  cpSync(join(rivalsFolder, "tools.mjs"), join(folder, "rivals/tools.mjs"));
  cpSync(join(rivalsFolder, "../subjects/workload.mjs"), join(folder, "subjects/workload.mjs"));
  cpSync(from, to, { recursive: true, filter: (path) => !/[/\\](?:node_modules|dist)$/.test(path) });
  symlinkSync(join(from, "node_modules"), join(to, "node_modules"), "dir");
}

/** @param {string} node @param {string[]} command @param {string} cwd @param {Record<string, string>} env */
async function build(node, [program = "", ...args], cwd, env) {
  await run(node, [join(cwd, "node_modules/.bin", program), ...args], cwd, { ...process.env, ...env });
}

/**
 * Builds both of Tenon's servers with the packed packages: the runtime alone for a deployed server, all for its project.
 *
 * @param {string} scratch
 */
async function prepareTenon(scratch) {
  const folder = join(scratch, "tenon");
  const [deployed, project] = [join(folder, "deployed"), join(folder, "project")];
  mkdirSync(folder, { recursive: true });
  const [runtime = "", ...others] = await Promise.all(
    ["runtime", "compiler", "cli"].map((name) => packPackage(name, folder)),
  );
  await installInto(deployed, [runtime]);
  await installInto(project, [runtime, ...others, "typescript@7", "@types/node@20"]);
  await buildTenonServer(join(scratch, "measured/rivals/tenon"), project, 0);
  const { probes: probing } = SUBJECTS;
  if (probing === undefined) throw new Error("SUBJECTS has no probes.");
  await buildSubject(probing, join(scratch, "probes/rivals/tenon"), project);
  return { run: deployed, build: project };
}

/** @returns {Promise<number>} a port on which no program listens */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}
