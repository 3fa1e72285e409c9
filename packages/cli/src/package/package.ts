import { join } from "node:path";
import { checkOutsideSources } from "../project/built-files.js";
import { findProjectRoot, resolveProjectRoot } from "../project/project-root.js";
import { Failure } from "../terminal/failure.js";
import type { Terminal } from "../terminal/terminal.js";
import { reportTargets } from "./report-targets.js";
import { compileParts } from "./server-parts.js";
import {
  type PackagedTarget,
  type CreateTarget,
  TARGET_NAMES,
  type TargetName,
} from "./targets/package-target.js";
import { checkTargetFolders, writeTargets } from "./write-targets.js";

/** The options of `tenon package`. */
export type PackageOptions = { readonly [Name in Exclude<TargetName, "single-file">]?: boolean } & {
  readonly singleFile?: boolean;
  /** The output folder, relative to the current folder (default: `package`). */
  readonly out?: string;
  readonly url?: string;
  /** Whether to replace existing files. */
  readonly force?: boolean;
};

/** The exit code after a cancelled prompt. */
const CANCELLED = 130;

/** The functions that load the code of each target. */
const TARGET_FACTORIES: Record<TargetName, () => Promise<CreateTarget>> = {
  "single-file": async () => (await import("./targets/single-file.js")).createSingleFile,
  npx: async () => (await import("./targets/npx.js")).createNpx,
  worker: async () => (await import("./targets/worker.js")).createWorker,
  mcpb: async () => (await import("./targets/mcpb.js")).createMcpb,
  registry: async () => (await import("./targets/registry.js")).createRegistry,
  docker: async () => (await import("./targets/docker.js")).createDocker,
};

/** Runs `tenon package [dir]`. Writes nothing unless all targets can be created. Returns the exit code. */
export async function packageServer(
  terminal: Terminal,
  folder = ".",
  options: PackageOptions = {},
): Promise<number> {
  const started = performance.now();
  const named = TARGET_NAMES.filter((name) => options[name === "single-file" ? "singleFile" : name] === true);
  const names = named.length === 0 && terminal.interactive ? await chooseTargets() : named;
  if (names === undefined) {
    terminal.out.write("Cancelled. Nothing was written.\n");
    return CANCELLED;
  }
  if (names.length === 0) {
    const intended = TARGET_NAMES.find((name) => name === folder);
    const choices = TARGET_NAMES.map((name) => `--${name}`).join(", ");
    throw new Failure("No target was chosen.", {
      hint:
        intended === undefined
          ? `Choose one or more: ${choices}. \`tenon package --help\` describes them.`
          : `Did you mean --${intended}? An argument without leading hyphens is the project folder.`,
      exitCode: 2,
    });
  }
  if (options.url !== undefined && !names.includes("registry"))
    throw new Failure("--url has no effect without --registry: only server.json contains the address.", {
      hint: "Add --registry, or omit --url.",
      exitCode: 2,
    });
  if (options.out !== undefined && names.every((name) => name === "registry" || name === "docker"))
    throw new Failure("--out has no effect: server.json and Dockerfile are written to the project.", {
      hint: "Omit --out.",
      exitCode: 2,
    });
  const root = findProjectRoot(folder, terminal.cwd);
  const outDir = resolveProjectRoot(options.out ?? join(root, "package"), terminal.cwd);
  checkOutsideSources(root, outDir);
  const { url, force = false } = options;
  const packaged = new Map<TargetName, PackagedTarget>();
  const parts = await compileParts(terminal, { root, outDir, url, targets: new Set(names), packaged });
  if (parts === undefined) return 1;
  for (const name of names) {
    const createTarget = await TARGET_FACTORIES[name]();
    packaged.set(name, await createTarget(parts));
  }
  parts.checkUnchanged();
  checkTargetFolders(packaged, outDir, terminal.cwd, force);
  const written = await writeTargets(terminal, packaged, { root, outDir, force });
  const seconds = (performance.now() - started) / 1000;
  reportTargets(terminal, packaged, { written, manifest: parts.manifest, seconds });
  return 0;
}

async function chooseTargets(): Promise<TargetName[] | undefined> {
  const { promptForTargets } = await import("./prompt-for-targets.js");
  return promptForTargets();
}
