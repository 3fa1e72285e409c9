import type { Compilation, Diagnostic } from "@tenon/compiler";
import type { DirectoryName } from "@tenon/compiler/directories";
import { findSettingProblems } from "../package/check-settings.js";
import { readPackageSettings } from "../package/settings/package-settings.js";
import { readServerJson } from "../package/targets/server-json.js";
import { findServerJsonProblems } from "../package/targets/server-json-problems.js";

/** Returns the diagnostics for everything that directories reject in a project. For the MCP registry, this includes package.json and server.json. */
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
