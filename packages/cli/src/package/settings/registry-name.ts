import { Failure } from "../../terminal/failure.js";
import type { PackageSettings, SettingProblem } from "./package-settings.js";
import { repositoryOf } from "./repository.js";

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST_NAME = 200;

/**
 * The name of a server in the MCP registry: what package.json says, or one of the namespace that a repository on GitHub gives
 * its owner.
 *
 * @throws Failure when there is none, or one that the registry would refuse
 * @example
 * registryName({ name: "@ada/weather", repository: "github:ada/weather" }) // "io.github.ada/weather"
 */
export function registryName(settings: PackageSettings): string {
  const problem = registryNameProblem(settings);
  if (problem !== undefined) throw new Failure(problem.message, { hint: problem.hint });
  return settings.mcpName ?? `io.github.${repositoryOf(settings)?.owner}/${unscoped(settings)}`;
}

/** Why there is no name for the MCP registry. */
export function registryNameProblem(settings: PackageSettings): SettingProblem | undefined {
  const { mcpName } = settings;
  const name = unscoped(settings);
  if (mcpName !== undefined) {
    if (NAME.test(mcpName) && mcpName.length <= LONGEST_NAME) return undefined;
    return {
      message: `The MCP registry does not accept the name \`${mcpName}\`, the mcpName of package.json.`,
      hint:
        "It has a domain that is yours, backwards, one slash, and letters, digits, dots, hyphens and underscores: " +
        `io.github.you/${name}, com.example/${name}.`,
    };
  }
  if (repositoryOf(settings)?.source === "github") return undefined;
  const why =
    settings.repository === undefined
      ? "package.json names no repository"
      : "the repository of package.json is not on GitHub";
  return {
    message: `The MCP registry has to know whose server this is, and ${why}.`,
    hint:
      `Add "repository": "github:you/${name}" for the name io.github.you/${name}, or "mcpName": "com.example/${name}" ` +
      "with a domain of yours.",
  };
}

function unscoped({ name }: PackageSettings): string {
  return name.replace(/^@[^/]*\//, "");
}
