import { createHash } from "node:crypto";
import type { EnvironmentVariable } from "@tenon/compiler";
import { getFormat, isSecret } from "../settings/environment-options.js";
import { getRepository } from "../settings/repository.js";
import { getImageName } from "./container-image.js";
import type { ServerParts } from "./package-target.js";
import { readServerJson, type RegistryPackage } from "./server-json.js";

/** Returns the packages of a server as server.json lists them: from npm, as a bundle, and as an image. */
export function listRegistryPackages(parts: ServerParts): RegistryPackage[] {
  return [...listNpmPackages(parts), ...listBundles(parts), ...listImages(parts)];
}

function listNpmPackages({ settings, version, targets, environment }: ServerParts): RegistryPackage[] {
  if (settings.private === true && !targets.has("npx")) return [];
  return [
    {
      registryType: "npm",
      registryBaseUrl: "https://registry.npmjs.org",
      identifier: settings.name,
      version,
      runtimeHint: "npx",
      transport: { type: "stdio" },
      ...toVariables(environment),
    },
  ];
}

/** Returns the bundle, which the registry accepts from releases on GitHub and GitLab. */
function listBundles({ settings, version, environment, packaged }: ServerParts): RegistryPackage[] {
  const [bundle] = [...(packaged.get("mcpb")?.files ?? [])];
  if (bundle === undefined) return [];
  const [file, content] = bundle;
  const repository = getRepository(settings);
  const releases: Record<string, string> = {
    github: `releases/download/v${version}/${file}`,
    gitlab: `-/releases/v${version}/downloads/${file}`,
  };
  const release = releases[repository?.source ?? ""];
  // `checkSettings` rejects this earlier.
  if (repository === undefined || release === undefined) return [];
  return [
    {
      registryType: "mcpb",
      identifier: `${repository.url}/${release}`,
      version,
      fileSha256: hashBundle(content),
      transport: { type: "stdio" },
      ...toVariables(environment),
    },
  ];
}

/** Returns the hash with which clients of the registry verify a bundle. */
export function hashBundle(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Returns the hash of the bundle in the server.json of a project, if it lists one. */
export function findBundleHash(root: string): string | undefined {
  const bundle = readServerJson(root)?.packages?.find(({ registryType }) => registryType === "mcpb");
  return bundle?.fileSha256;
}

function listImages({ settings, version, targets, environment }: ServerParts): RegistryPackage[] {
  if (!targets.has("docker")) return [];
  return [
    {
      registryType: "oci",
      identifier: getImageName(settings, version),
      runtimeHint: "docker",
      runtimeArguments: [{ type: "named", name: "-p", value: "127.0.0.1:3000:3000" }],
      transport: { type: "streamable-http", url: "http://127.0.0.1:3000/mcp" },
      ...toVariables(environment),
    },
  ];
}

function toVariables(
  environment: readonly EnvironmentVariable[],
): Pick<RegistryPackage, "environmentVariables"> {
  if (environment.length === 0) return {};
  return {
    environmentVariables: environment.map((variable) => {
      const { name, description, default: fallback, optional } = variable;
      const format = getFormat(variable);
      return {
        name,
        ...(description !== undefined && { description }),
        ...(!optional && { isRequired: true }),
        ...(isSecret(name) && { isSecret: true }),
        ...(format !== "string" && { format: format === "folder" ? "filepath" : format }),
        ...(fallback !== undefined && { default: fallback }),
      };
    }),
  };
}
