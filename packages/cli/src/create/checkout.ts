import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../terminal/failure.js";
import type { RunProgram, TenonPackages } from "./context.js";

/** What a project installs, directly or not. */
const PACKAGES = ["runtime", "compiler", "cli"];
/** Part of the project, so that it can be moved and cloned. */
const VENDOR = "vendor";

/**
 * Where new projects get Tenon's packages from: the registry, or, when this program runs from a checkout of
 * the repository, archives packed there and put into the project.
 */
export function tenonPackages(run: RunProgram): TenonPackages {
  const ownFolder = fileURLToPath(new URL("../..", import.meta.url));
  const { version } = readJson(join(ownFolder, "package.json"));
  if (!version) throw new Failure("This installation of @tenon/cli has no version.");
  const checkout = join(ownFolder, "../..");
  return {
    version,
    ...(isCheckout(checkout) && {
      provide: (folder: string, signal?: AbortSignal) => pack({ checkout, version, folder, signal }, run),
    }),
  };
}

function isCheckout(folder: string): boolean {
  const path = join(folder, "package.json");
  return existsSync(path) && readJson(path).name === "tenon-workspace";
}

interface Packing {
  checkout: string;
  version: string;
  folder: string;
  signal: AbortSignal | undefined;
}

async function pack(
  { checkout, version, folder, signal }: Packing,
  run: RunProgram,
): Promise<Record<string, string>> {
  const vendor = join(folder, VENDOR);
  mkdirSync(vendor, { recursive: true });
  const folders = PACKAGES.map((name) => `./${join("packages", name)}`);
  const { exitCode, output } = await run("npm", ["pack", ...folders, "--pack-destination", vendor], {
    cwd: checkout,
    ...(signal && { signal }),
  });
  if (exitCode !== 0) {
    throw new Failure(`Tenon's packages cannot be packed from ${resolve(checkout)}:\n${output.trim()}`, {
      hint: "Run `npm run build` there.",
    });
  }
  return Object.fromEntries(
    PACKAGES.map((name) => [`@tenon/${name}`, `file:${VENDOR}/tenon-${name}-${version}.tgz`]),
  );
}

function readJson(path: string): { name?: string; version?: string } {
  return JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
}
