import { join, relative } from "node:path";
import { type Bundle, bundleOnce } from "../../bundle/bundle.js";
import { isProjectFile, findPackage } from "../../bundle/installed-packages.js";
import { CANNOT_BE_BUNDLED } from "../../bundle/bundled-packages.js";
import { NATIVE_CODE } from "../../bundle/installed-only.js";
import { quoteWord } from "../../terminal/quote-word.js";
import { Failure } from "../../terminal/failure.js";
import { formatPathArgument } from "../../terminal/path-argument.js";
import { describeLocated, rejectDataFiles } from "./accompanying-files.js";
import type { PackagedTarget, ServerParts } from "./package-target.js";
import { toFileName } from "../settings/package-settings.js";

const ENTRY = "worker.js";

const MODULE = `import { createFetchModule } from "@tenon/runtime/fetch-module";
import { application } from "./application.js";

export default createFetchModule(application);
`;

/** The version of the platform's behavior, also used by the tests. */
const COMPATIBILITY_DATE = "2026-04-01";

/** Modules of Node that Cloudflare's runtime lacks, or has without any functionality. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
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

const HINT = "Remove it, or run the server in a container: `tenon package --docker`.";

/** Creates the target `--worker`: a module for Cloudflare Workers, Deno, and Bun, which contains all packages. */
export async function createWorker(parts: ServerParts): Promise<PackagedTarget> {
  const { root, cwd, outDir, modules, edits, manifest, identifiesCallers, environment, color } = parts;
  checkTasks(parts);
  const folder = join(outDir, "worker");
  const bundle = await bundleOnce(
    {
      root,
      outDir: folder,
      entries: [ENTRY],
      bundlePackages: true,
      oneFile: { acceptPackages: checkPackages, conditions: ["workerd", "worker", "node"], keepsViews: true },
      color,
    },
    new Map([...modules, [ENTRY, MODULE]]),
    edits,
  );
  rejectDataFiles(
    bundle,
    root,
    "A worker",
    "Import their content from a TypeScript or JSON module, or run the server in a container: `tenon package --docker`.",
  );
  const packagesToTry = checkSources(bundle, root);
  const name = toFileName(manifest.server.name).replaceAll(/[._]/g, "-");
  const requestsInput = manifest.forms !== undefined;
  const requiredVariables = environment.filter(({ optional }) => !optional);
  const optionalVariables = environment.filter(({ optional }) => optional);
  const secrets = [
    ...(requestsInput ? ["TENON_STATE_KEYS"] : []),
    ...requiredVariables.map((each) => each.name),
  ];
  const shown = quoteWord(relative(cwd, join(folder, ENTRY)));
  const location = root === cwd ? "" : ` --cwd ${formatPathArgument(root, cwd)}`;
  return {
    files: bundle.files,
    authorFiles: new Map([
      ["wrangler.jsonc", createWranglerSettings(name, relative(root, outDir).replaceAll("\\", "/"))],
    ]),
    notes: [
      ...packagesToTry,
      ...describeLocated(bundle, "A worker has no files. Import their content instead."),
      ...(requestsInput ? [STATE_KEYS] : []),
      ...(optionalVariables.length > 0
        ? [`Optional variables: ${optionalVariables.map((each) => each.name).join(", ")}.`]
        : []),
      ...([...bundle.sources.keys()].some((path) => REDIS_STORE.test(path)) ? [NO_CONNECTIONS] : []),
      ...(identifiesCallers ? [] : [NO_AUTHENTICATION]),
      ...(manifest.auth?.conditional ? [CONDITIONAL_AUTH] : []),
    ],
    next: [
      ...secrets.map(
        (each) => [`npx wrangler secret put ${each}${location}`, "sets it on Cloudflare"] as const,
      ),
      [`npx wrangler deploy${location}`, "deploys to Cloudflare"],
      [`deno serve -E -N ${shown}`, "serves with Deno, at http://127.0.0.1:8000/mcp"],
      [`bun ${shown}`, "serves with Bun, at http://127.0.0.1:3000/mcp"],
    ],
  };
}

const STATE_KEYS =
  "The server requests input from its clients. Set TENON_STATE_KEYS to the same secret in all instances, so that any of " +
  "them can continue with an answer.";
const REDIS_STORE = /[\\/]cluster[\\/]redis[\\/]redis-store\.js$/;
const NO_CONNECTIONS =
  "The store `redis(…)` needs connections that outlast a request, so the server starts with Deno and Bun, but not on " +
  "Cloudflare.";
const NO_AUTHENTICATION =
  "The server has no authentication: anyone who finds the address can call it. Set `auth` in src/server.ts.";

const CONDITIONAL_AUTH =
  "src/server.ts sets `auth` conditionally: where it is undefined, anyone who finds the address can call the server.";

/**
 * Returns the text of wrangler.jsonc.
 *
 * @param out the output folder, relative to the project
 */
function createWranglerSettings(name: string, out: string): string {
  const outOption = out === "package" ? "" : ` --out ${out}`;
  return `{
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": ${JSON.stringify(name)},
  "main": ${JSON.stringify(`${out}/worker/${ENTRY}`)},
  // The module already contains all packages.
  "no_bundle": true,
  "build": { "command": ${JSON.stringify(`npx tenon package --worker${outOption}`)} },
  "compatibility_date": "${COMPATIBILITY_DATE}",
  // The second flag lets \`ctx.signal\` report that the client has disconnected.
  "compatibility_flags": ["nodejs_compat", "enable_request_signal"],
}
`;
}

/** Rejects tasks, because a worker stops after its response. */
function checkTasks({ manifest }: ServerParts): void {
  const withTask = manifest.tools.find(({ task }) => task !== undefined);
  if (withTask === undefined) return;
  throw new Failure(
    `The tool \`${withTask.definition.name}\` may run as a task, but a worker stops after its response.`,
    {
      hint: "Remove `task` from its options, or run the server in a container: `tenon package --docker`.",
    },
  );
}

/**
 * Rejects packages that only run where they are installed.
 *
 * @throws Failure that names one of them
 */
function checkPackages(reasons: ReadonlyMap<string, string>): void {
  const native = [...reasons].find(([, reason]) => reason === NATIVE_CODE || reason === CANNOT_BE_BUNDLED);
  if (native === undefined) return;
  const [name, reason] = native;
  throw new Failure(`A worker cannot run the package \`${name}\`, which ${reason}.`, { hint: HINT });
}

/**
 * Checks the Node modules that the bundle imports.
 *
 * @returns notes about packages that import modules that workers lack. The packages may work without these modules
 * @throws Failure if the project's own sources import such a module
 */
function checkSources({ sources }: Bundle, root: string): string[] {
  const uncertain = new Map<string, string>();
  for (const [path, imported] of sources) {
    const unsupported = imported.find((each) => UNSUPPORTED.has(each.replace(/^node:/, "")));
    if (unsupported === undefined) continue;
    if (isProjectFile(path, root)) {
      const shown = relative(root, path).replaceAll("\\", "/");
      throw new Failure(`Workers lack the module ${unsupported}, which ${shown} imports.`, { hint: HINT });
    }
    const name = path.includes("/node_modules/") ? findPackage(path)?.name : undefined;
    if (name !== undefined) uncertain.set(name, unsupported);
  }
  return [...uncertain].map(
    ([name, unsupported]) =>
      `The package ${name} imports ${unsupported}, which workers lack. Test the features that use it.`,
  );
}
