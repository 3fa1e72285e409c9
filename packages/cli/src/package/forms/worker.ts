import { join, relative } from "node:path";
import { bundleOneFile, type OneFile } from "../../bundle/one-file.js";
import { packageOf } from "../../bundle/package-of.js";
import { CANNOT_BE_BUNDLED, NATIVE_CODE } from "../../bundle/bundled-packages.js";
import { Failure } from "../../terminal/failure.js";
import { isOwn, locatedNotes } from "./located-sources.js";
import type { MadeForm, ServerParts } from "./package-form.js";
import { fileName } from "../settings/package-settings.js";

const ENTRY = "worker.js";

const MODULE = `import { createFetchModule } from "@tenon/runtime/fetch-module";
import { application } from "./application.js";

export default createFetchModule(application);
`;

/** What the platform has to know, and the tests run with. */
const COMPATIBILITY_DATE = "2026-04-01";

/** Modules of Node that Cloudflare's runtime lacks, or has without any function. */
const LACKING: ReadonlySet<string> = new Set([
  "child_process",
  "cluster",
  "dgram",
  "inspector",
  "readline",
  "repl",
  "sqlite",
  "trace_events",
  "v8",
  "vm",
  "wasi",
  "worker_threads",
]);

const HINT = "Leave it out, or serve this server from a machine of its own: `tenon package --docker`.";

/** `--worker`: a module that Cloudflare Workers, Deno and Bun hand requests to. Everything is in it. */
export async function makeWorker(parts: ServerParts): Promise<MadeForm> {
  const { root, cwd, outDir, modules, edits, manifest, environment, color } = parts;
  checkTasks(parts);
  const file = join(outDir, "worker", ENTRY);
  const bundled = await bundleOneFile({
    root,
    file,
    modules: new Map([...modules, [ENTRY, MODULE]]),
    edits,
    entry: ENTRY,
    acceptPackages: checkPackages,
    conditions: ["workerd", "worker", "node"],
    color,
  });
  const packagesToTry = checkSources(bundled, root);
  const name = fileName(manifest.server.name).replaceAll(/[._]/g, "-");
  const asks = manifest.forms !== undefined;
  const needed = environment.filter(({ optional }) => !optional);
  const others = environment.filter(({ optional }) => optional);
  const secrets = [...(asks ? ["TENON_STATE_KEYS"] : []), ...needed.map((each) => each.name)];
  const shown = relative(cwd, file);
  return {
    files: new Map([[ENTRY, bundled.text]]),
    kept: new Map([["wrangler.jsonc", wranglerSettings(name, relative(root, outDir).replaceAll("\\", "/"))]]),
    notes: [
      ...packagesToTry,
      ...locatedNotes(bundled.sources, root, "A worker has no files: import what they hold."),
      ...(asks ? [STATE_KEYS] : []),
      ...(others.length > 0 ? [`May be set, too: ${others.map((each) => each.name).join(", ")}.`] : []),
      ...(manifest.auth === undefined ? [OPEN_TO_ALL] : []),
    ],
    next: [
      ...secrets.map((each) => [`npx wrangler secret put ${each}`, "for Cloudflare"] as const),
      ["npx wrangler deploy", "deploys to Cloudflare"],
      [`deno serve --allow-env ${shown}`, "serves with Deno, at http://127.0.0.1:8000/mcp"],
      [`bun ${shown}`, "serves with Bun, at http://127.0.0.1:3000/mcp"],
    ],
  };
}

const STATE_KEYS =
  "The server asks its clients. TENON_STATE_KEYS has to be the same secret in all instances, so that any of them can go on " +
  "with an answer.";
const OPEN_TO_ALL =
  "Nobody is asked who they are: whoever finds the address may call. Say who may, by `auth` in src/server.ts.";

/** @param out the output folder, relative to the project */
function wranglerSettings(name: string, out: string): string {
  const elsewhere = out === "package" ? "" : ` --out ${out}`;
  return `{
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": ${JSON.stringify(name)},
  "main": ${JSON.stringify(`${out}/worker/${ENTRY}`)},
  // Made by Tenon, with all that it needs in it.
  "no_bundle": true,
  "build": { "command": ${JSON.stringify(`npx tenon package --worker${elsewhere}`)} },
  "compatibility_date": "${COMPATIBILITY_DATE}",
  "compatibility_flags": ["nodejs_compat"],
}
`;
}

/** A worker ends with its answer, and what goes on after it would be lost. */
function checkTasks({ manifest }: ServerParts): void {
  const withTask = manifest.tools.find(({ task }) => task !== undefined);
  if (withTask === undefined) return;
  throw new Failure(
    `The tool \`${withTask.definition.name}\` may be answered with a task, and a worker does nothing after its answer.`,
    {
      hint: "Take `task` out of its options, or serve it from a machine of its own: `tenon package --docker`.",
    },
  );
}

/** @throws Failure for what runs on one kind of machine alone */
function checkPackages(reasons: ReadonlyMap<string, string>): void {
  const native = [...reasons].find(([, reason]) => reason === NATIVE_CODE || reason === CANNOT_BE_BUNDLED);
  if (native === undefined) return;
  const [name, reason] = native;
  throw new Failure(`A worker cannot run the package \`${name}\`, which ${reason}.`, { hint: HINT });
}

/**
 * @returns packages that import what the platform lacks, and may do without
 * @throws Failure for sources that do
 */
function checkSources({ sources }: OneFile, root: string): string[] {
  const doubtful = new Map<string, string>();
  for (const [path, imported] of sources) {
    const lacking = imported.find((each) => LACKING.has(each.replace(/^node:/, "")));
    if (lacking === undefined) continue;
    if (isOwn(path, root)) {
      const shown = relative(root, path).replaceAll("\\", "/");
      throw new Failure(`A worker has no ${lacking}, which ${shown} imports.`, { hint: HINT });
    }
    const name = path.includes("/node_modules/") ? packageOf(path)?.name : undefined;
    if (name !== undefined) doubtful.set(name, lacking);
  }
  return [...doubtful].map(
    ([name, lacking]) => `The package ${name} imports ${lacking}, which a worker lacks: try what needs it.`,
  );
}
