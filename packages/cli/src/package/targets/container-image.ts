import { type PackageSettings, toFileName, getUnscopedName } from "../settings/package-settings.js";
import { getRepository } from "../settings/repository.js";

/**
 * Returns the name of a server's image, which is in GitHub's registry if the sources are on GitHub. A tag cannot
 * contain the `+` of a version.
 *
 * @example
 * getImageName({ name: "weather", repository: "github:ada/weather" }, "1.2.3") // "ghcr.io/ada/weather:1.2.3"
 */
export function getImageName(settings: PackageSettings, version: string): string {
  const repository = getRepository(settings);
  const registry = repository?.source === "github" ? `ghcr.io/${repository.owner.toLowerCase()}/` : "";
  return `${registry}${toFileName(getUnscopedName(settings))}:${version.replaceAll("+", "-")}`;
}
