import { fileName, type PackageSettings, requiredVersion } from "../settings/package-settings.js";
import { repositoryOf } from "../settings/repository.js";

/**
 * The name of a server's image: in GitHub's registry where the sources are there, else by itself.
 *
 * @example
 * imageOf({ name: "weather", version: "1.2.3", repository: "github:ada/weather" }) // "ghcr.io/ada/weather:1.2.3"
 */
export function imageOf(settings: PackageSettings): string {
  const repository = repositoryOf(settings);
  const name = fileName(settings.name.replace(/^@[^/]*\//, ""));
  const place = repository?.source === "github" ? `ghcr.io/${repository.owner.toLowerCase()}/` : "";
  return `${place}${name}:${requiredVersion(settings)}`;
}
