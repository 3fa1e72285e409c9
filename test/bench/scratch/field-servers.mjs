/**
 * The servers of the published benchmark's workload.
 * @module
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installInto } from "./packages.mjs";
import { run } from "./run.mjs";
import { cli, writeProject } from "./tenon-project.mjs";

/** @typedef {import("../clients/server-process.mjs").Command} Command */
/** @typedef {"published" | "raw" | "tenon"} FieldServer */

const subjects = join(import.meta.dirname, "../subjects/field");
/** The clients of Redis and the API. */
const CLIENTS = ["ioredis@5", "undici@7"];
/** The packages of the published server. */
const PUBLISHED = ["@modelcontextprotocol/sdk@1.26.0", "express@4"];

/**
 * Installs and builds the servers.
 *
 * @param {string} folder the scratch folder @param {string} archive the packed runtime
 * @returns {Promise<(server: FieldServer, workers: number) => Command>} starts one over HTTP, with this many workers; 0: a
 * single process
 */
export async function prepareField(folder, archive) {
  const peers = join(folder, "field");
  const project = join(folder, "tenon-field");
  const packages = join(folder, "field-packages");
  await installInto(peers, [...PUBLISHED, ...CLIENTS]);
  await installInto(packages, [archive, "typescript@7", "@types/node@20", ...CLIENTS]);
  for (const name of ["published.mjs", "raw.mjs", "processes.mjs", "shop.mjs"])
    copyFileSync(join(subjects, name), join(peers, name));
  writeProject(project, packages);
  for (const name of ["shop.mjs", "shop.d.mts", "tools.ts", "server.ts"])
    copyFileSync(join(subjects, name), join(project, "src", name));
  await run(process.execPath, [cli, "build", project], project);
  writeFileSync(join(peers, "tools.json"), readToolList(project));
  return (server, workers) =>
    server === "tenon"
      ? {
          args: [
            "dist/server.js",
            "--http",
            "--port",
            "0",
            ...(workers > 0 ? ["--workers", String(workers)] : []),
          ],
          cwd: project,
        }
      : { args: [`${server}.mjs`, String(workers)], cwd: peers };
}

/** Returns the list that Tenon sends to a client at 2024-11-05. @param {string} project @returns {string} JSON text */
function readToolList(project) {
  const { tools } = JSON.parse(readFileSync(join(project, "dist/tenon.manifest.json"), "utf8"));
  return JSON.stringify(
    tools.map((/** @type {{ definition: any }} */ { definition: { name, description, inputSchema } }) => ({
      name,
      description,
      inputSchema,
    })),
  );
}
