import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { prepareField } from "./field-servers.mjs";
import { installedVersion, installInto, packRuntime } from "./packages.mjs";
import { buildSubject, buildTenonServer, SUBJECTS } from "./tenon-project.mjs";

/** @typedef {import("../clients/server-process.mjs").Command} Command */
/** @typedef {"sdk-v1" | "sdk-v2" | "fastmcp"} PeerName */
/** @typedef {"raw" | "tenon" | "tenon-unchecked" | PeerName} SubjectName */
/** @typedef {{ extra?: number, http?: boolean, stateless?: boolean }} Start */
/** @typedef {"tenon" | "sdk-v2"} NewsSubject */

/**
 * @typedef {object} Bench everything that is measured, ready to be started
 * @property {string} folder the scratch folder
 * @property {string} packages where `node_modules` for Tenon projects is, with TypeScript 7 as in a new project
 * @property {string} tsc the program of TypeScript 6.0, which is the one in ts-morph
 * @property {Record<"tenon" | PeerName, string>} installed the folder with the packages of a deployed server of each
 * @property {(subject: SubjectName, start?: Start) => Command} command
 * @property {(subject: NewsSubject) => Command} newsCommand over HTTP, with a resource to subscribe to
 * @property {(protections: readonly string[]) => Command} protectedCommand over HTTP, with these protections enabled
 * @property {(workers: number) => Command} workersCommand over HTTP, with this many workers; 0: a single process
 * @property {Awaited<ReturnType<typeof prepareField>>} fieldCommand
 * @property {Command} sharedCommand over HTTP; its processes share the Redis of `TENON_REDIS_URL`
 * @property {(subject: "tenon" | PeerName) => Command} probesCommand over stdio, with tools that misbehave
 * @property {Command} empty a script that does nothing
 * @property {Record<string, string>} versions
 */

/** @type {Record<PeerName, string[]>} */
const PEERS = {
  "sdk-v1": ["@modelcontextprotocol/sdk@1", "zod@4"],
  "sdk-v2": ["@modelcontextprotocol/server@2", "@modelcontextprotocol/node@2", "zod@4"],
  fastmcp: ["fastmcp@4", "zod@4"],
};

/**
 * Installs the peers and builds the servers.
 *
 * @param {string} folder empty @param {readonly number[]} extras the numbers of extra tools that will be requested
 * @param {ReadonlySet<string>} parts the parts that will be measured
 * @returns {Promise<Bench>}
 */
export async function prepare(folder, extras, parts) {
  const at = (/** @type {string} */ name) => join(folder, name);
  const archive = await packRuntime(folder);
  for (const [name, packages] of Object.entries(PEERS)) await installInto(at(name), packages);
  await installInto(at("deployed"), [archive]);
  await installInto(at("packages"), [
    archive,
    "typescript@7",
    "@types/node@20",
    "@opentelemetry/api@1",
    "@redis/client@6",
  ]);
  await installInto(at("tsc"), ["typescript@~6.0.0"]);
  mkdirSync(at("raw"));
  for (const name of ["raw", ...Object.keys(PEERS)]) copySubject(at(name), name);
  for (const extra of extras) {
    const project = at(`tenon-${extra}`);
    await buildTenonServer(project, at("packages"), extra);
    writeFileSync(join(at("raw"), `tools-${extra}.json`), readToolList(project));
  }
  for (const [name, subject] of Object.entries(SUBJECTS))
    if (subject.part === undefined || parts.has(subject.part))
      await buildSubject(subject, at(`tenon-${name}`), at("packages"));
  const fieldCommand = parts.has("field") ? await prepareField(folder, archive) : notPrepared;
  return {
    folder,
    packages: at("packages"),
    tsc: join(at("tsc"), "node_modules/typescript/bin/tsc"),
    installed: {
      tenon: at("deployed"),
      "sdk-v1": at("sdk-v1"),
      "sdk-v2": at("sdk-v2"),
      fastmcp: at("fastmcp"),
    },
    command: (subject, start = {}) => commandFor(folder, subject, start),
    newsCommand: (subject) =>
      subject === "tenon"
        ? { args: [join(at("tenon-news"), "dist/server.js"), "--http", "--port", "0"], cwd: at("tenon-news") }
        : { args: [join(at("sdk-v2"), "sdk-v2-news.mjs")], cwd: at("sdk-v2") },
    protectedCommand: (protections) => ({
      args: [join(at("tenon-protected"), "dist/server.js"), "--http", "--port", "0"],
      cwd: at("tenon-protected"),
      env: { BENCH_PROTECTIONS: protections.join(",") },
    }),
    workersCommand: (workers) => ({
      args: [
        join(at("tenon-workers"), "dist/server.js"),
        ...["--http", "--port", "0", ...(workers > 0 ? ["--workers", String(workers)] : [])],
      ],
      cwd: at("tenon-workers"),
    }),
    fieldCommand,
    sharedCommand: {
      args: [join(at("tenon-shared"), "dist/server.js"), "--http", "--port", "0"],
      cwd: at("tenon-shared"),
    },
    probesCommand: (subject) =>
      subject === "tenon"
        ? { args: [join(at("tenon-probes"), "dist/server.js")], cwd: at("tenon-probes") }
        : { args: [join(at(subject), `${subject}.mjs`)], cwd: at(subject), env: { BENCH_PROBES: "1" } },
    empty: { args: [join(at("raw"), "empty.mjs")], cwd: at("raw") },
    versions: {
      "@tenon/runtime": installedVersion(at("deployed"), "@tenon/runtime"),
      "@modelcontextprotocol/sdk": installedVersion(at("sdk-v1"), "@modelcontextprotocol/sdk"),
      "@modelcontextprotocol/server": installedVersion(at("sdk-v2"), "@modelcontextprotocol/server"),
      "@modelcontextprotocol/node": installedVersion(at("sdk-v2"), "@modelcontextprotocol/node"),
      fastmcp: installedVersion(at("fastmcp"), "fastmcp"),
      zod: installedVersion(at("sdk-v2"), "zod"),
      tsc: installedVersion(at("tsc"), "typescript"),
      typescript: installedVersion(at("packages"), "typescript"),
    },
  };
}

/** @returns {never} */
function notPrepared() {
  throw new Error("The run was not prepared for this part.");
}

/** @param {string} folder @param {SubjectName} subject @param {Start} start @returns {Command} */
function commandFor(folder, subject, { extra = 0, http = false, stateless = false }) {
  const env = { BENCH_EXTRA_TOOLS: String(extra) };
  if (subject === "tenon" || subject === "tenon-unchecked") {
    const cwd = join(folder, subject === "tenon" ? `tenon-${extra}` : subject);
    return { args: [join(cwd, "dist/server.js"), ...(http ? ["--http", "--port", "0"] : [])], cwd, env };
  }
  const cwd = join(folder, subject);
  const flags = [...(http ? ["--http"] : []), ...(stateless ? ["--stateless"] : [])];
  return { args: [join(cwd, `${subject}.mjs`), ...flags], cwd, env };
}

/** @param {string} folder @param {string} name */
function copySubject(folder, name) {
  for (const file of [`${name}.mjs`, "workload.mjs", "sdk-tools.mjs", "sdk-v2-news.mjs", "empty.mjs"]) {
    copyFileSync(join(import.meta.dirname, "../subjects", file), join(folder, file));
  }
}

/**
 * Returns the list of `raw`, which is exactly that of Tenon.
 *
 * @param {string} project @returns {string} JSON text
 */
function readToolList(project) {
  const { tools } = JSON.parse(readFileSync(join(project, "dist/tenon.manifest.json"), "utf8"));
  return JSON.stringify(tools.map((/** @type {{ definition: object }} */ { definition }) => definition));
}
