import type { Compilation, Diagnostic } from "@tenon/compiler";
import { DIRECTORY_NAMES, type DirectoryName } from "@tenon/compiler/directories";
import { findSettingProblems } from "../package/check-settings.js";
import { readPackageSettings } from "../package/settings/package-settings.js";
import { readServerJson } from "../package/targets/server-json.js";
import { findServerJsonProblems } from "../package/targets/server-json-problems.js";
import { createUnknownNameFailure } from "../terminal/unknown-name.js";

/** The value of `--directory` for every directory. */
const ALL = "all";

/**
 * Finds directories by name; `all` stands for every one.
 *
 * @throws Failure (exit code 2) with the nearest name
 */
export function findDirectories(names: readonly string[] = []): readonly DirectoryName[] {
  if (names.includes(ALL)) return DIRECTORY_NAMES;
  return names.map((text) => {
    const found = DIRECTORY_NAMES.find((name) => name === text);
    if (found) return found;
    throw createUnknownNameFailure("directory", text, [...DIRECTORY_NAMES, ALL], { exitCode: 2 });
  });
}

/** Returns what directories reject in a project. For the MCP registry, this includes package.json and server.json. */
export function checkProjectForDirectories(
  compilation: Compilation,
  root: string,
  directories: readonly DirectoryName[],
): Diagnostic[] {
  const problems = directories.includes("registry") ? findRegistryProblems(root) : [];
  return compilation.checkDirectories?.(directories, problems) ?? [];
}

function findRegistryProblems(root: string): { message: string; hint: string }[] {
  const settings = readPackageSettings(root);
  const serverJson = readServerJson(root);
  return [
    ...findSettingProblems(settings, new Set(["registry"]), serverJson?.description),
    ...(serverJson ? findServerJsonProblems(serverJson, settings) : []),
  ];
}
