import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../terminal/failure.js";
import type { RunProgram, TenonPackages } from "./context.js";

/** The packages that a project installs, directly or as dependencies. */
const PACKAGES = ["runtime", "compiler", "cli"];
/** The folder for packed packages. It is part of the project, which can therefore be moved and cloned. */
const VENDOR = "vendor";

/**
 * Returns the source of Tenon's packages for new projects: the registry or, in a checkout of the repository, archives
 * that are packed there and copied into the project.
 */
export function findTenonPackages(run: RunProgram): TenonPackages {
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
    throw new Failure(`Packing Tenon's packages failed in ${resolve(checkout)}:\n${output.trim()}`, {
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
