import { Failure } from "../../terminal/failure.js";
import type { PackageSettings } from "./package-settings.js";
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
  const { mcpName, name } = settings;
  if (mcpName !== undefined) {
    if (NAME.test(mcpName) && mcpName.length <= LONGEST_NAME) return mcpName;
    throw new Failure(
      `The MCP registry does not accept the name \`${mcpName}\`, the mcpName of package.json.`,
      {
        hint:
          "It has a domain that is yours, backwards, one slash, and letters, digits, dots, hyphens and underscores: " +
          "io.github.you/weather, com.example/weather.",
      },
    );
  }
  const repository = repositoryOf(settings);
  if (repository?.source === "github")
    return `io.github.${repository.owner}/${name.replace(/^@[^/]*\//, "")}`;
  const why =
    settings.repository === undefined
      ? "package.json names no repository"
      : "the repository of package.json is not on GitHub";
  throw new Failure(`The MCP registry has to know whose server this is, and ${why}.`, {
    hint:
      'Add "repository": "github:you/weather" for the name io.github.you/weather, or "mcpName": "com.example/weather" ' +
      "with a domain of yours.",
  });
}
