import { type PackageSettings, type SettingProblem, getUnscopedName } from "./package-settings.js";
import { getRepository } from "./repository.js";

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const MAX_NAME_CHARACTERS = 200;

/**
 * Returns the name of a server in the MCP registry: `mcpName` in package.json, or a name in the namespace of the owner of
 * the GitHub repository. Call it only if `findRegistryNameProblem` returns no problem.
 *
 * @example
 * getRegistryName({ name: "@ada/weather", repository: "github:ada/weather" }) // "io.github.ada/weather"
 */
export function getRegistryName(settings: PackageSettings): string {
  return settings.mcpName ?? `io.github.${getRepository(settings)?.owner}/${getUnscopedName(settings)}`;
}

/** Finds the reason why a server has no valid name for the MCP registry. */
export function findRegistryNameProblem(settings: PackageSettings): SettingProblem | undefined {
  const { mcpName } = settings;
  const name = getUnscopedName(settings);
  if (mcpName !== undefined) {
    if (NAME.test(mcpName) && mcpName.length <= MAX_NAME_CHARACTERS) return undefined;
    return {
      message: `The MCP registry rejects the name \`${mcpName}\` (mcpName in package.json).`,
      hint:
        "Use your domain name in reverse order, a slash, and a name of letters, digits, dots, hyphens, and underscores, " +
        `such as io.github.you/${name} or com.example/${name}.`,
    };
  }
  if (getRepository(settings)?.source === "github") return undefined;
  const reason =
    settings.repository === undefined
      ? "package.json names no repository"
      : "the repository in package.json is not on GitHub";
  return {
    message: `The name in the MCP registry must identify the owner of the server, but ${reason}.`,
    hint:
      `Add "repository": "github:you/${name}" for the name io.github.you/${name}, or "mcpName": "com.example/${name}" ` +
      "with your own domain.",
  };
}
