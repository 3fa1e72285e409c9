import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentVariable } from "@tenon/compiler";
import { NATIVE_CODE } from "../../bundle/installed-only.js";
import { getFormat, isSecret, toTitle } from "../settings/environment-options.js";
import { getAuthor, toFileName } from "../settings/package-settings.js";
import { getRepository } from "../settings/repository.js";
import type { BuiltServer, ServerParts } from "./package-target.js";

/** The version of the bundle manifest that hosts support. */
const MANIFEST_VERSION = "0.3";

/** The icon of a bundle, in the project folder. */
export const ICON = "icon.png";

/**
 * Returns the manifest of a bundle.
 *
 * @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md
 */
export function createBundleManifest(parts: ServerParts, server: BuiltServer): object {
  const { settings, version, manifest, environment, root } = parts;
  const { description, homepage, bugs, license, keywords, engines } = settings;
  const author = getAuthor(settings);
  const repository = getRepository(settings);
  const support = typeof bugs === "string" ? bugs : bugs?.url;
  const { title, websiteUrl } = manifest.server;
  const hasChangingTools = manifest.tools.some(({ guards = [] }) => guards.includes("enabled"));
  return {
    manifest_version: MANIFEST_VERSION,
    name: toFileName(settings.name),
    ...(title !== undefined && { display_name: title }),
    version,
    description,
    author,
    ...(repository !== undefined && { repository: { type: "git", url: repository.url } }),
    ...pickUrl("homepage", homepage ?? websiteUrl),
    ...pickUrl("support", support),
    ...(existsSync(join(root, ICON)) && { icon: ICON }),
    server: {
      type: "node",
      entry_point: "dist/start.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/dist/start.js"],
        env: Object.fromEntries(
          environment.map(({ name }) => [name, `\${user_config.${toOptionName(name, environment)}}`]),
        ),
      },
    },
    tools: manifest.tools.map(({ definition: { name, description: toolDescription } }) => ({
      name,
      ...(toolDescription !== undefined && { description: toolDescription }),
    })),
    ...(hasChangingTools && { tools_generated: true }),
    ...(manifest.prompts.length > 0 && { prompts_generated: true }),
    ...(keywords !== undefined && { keywords }),
    ...(license !== undefined && { license }),
    compatibility: {
      platforms: hasNativeCode(server) ? [process.platform] : ["darwin", "win32", "linux"],
      runtimes: { node: engines?.["node"] ?? ">=20.19" },
    },
    ...(environment.length > 0 && {
      user_config: Object.fromEntries(
        environment.map((each) => [toOptionName(each.name, environment), createUserOption(each)]),
      ),
    }),
  };
}

function pickUrl(name: string, url: string | undefined): object {
  return url !== undefined && URL.canParse(url) ? { [name]: url } : {};
}

/** Returns the name in lower case, unless another variable has the same name in a different case. */
function toOptionName(name: string, environment: readonly EnvironmentVariable[]): string {
  const lower = name.toLowerCase();
  return environment.some((each) => each.name !== name && each.name.toLowerCase() === lower) ? name : lower;
}

const OPTION_TYPES = { string: "string", number: "number", filepath: "file", folder: "directory" } as const;

/** Returns the description of a value that the host prompts for before it starts the server. */
function createUserOption(variable: EnvironmentVariable): object {
  const { name, description, default: fallback, optional } = variable;
  const format = getFormat(variable);
  return {
    type: OPTION_TYPES[format],
    title: toTitle(name),
    description: description ?? `The environment variable ${name}.`,
    required: !optional,
    ...(isSecret(name) && { sensitive: true }),
    // Without a default and a value, hosts do not replace the placeholder.
    ...(fallback !== undefined && { default: format === "number" ? Number(fallback) : fallback }),
  };
}

/** Returns whether a bundle runs only on one platform. */
export function hasNativeCode({ needed }: BuiltServer): boolean {
  return needed.some(({ reason }) => reason === NATIVE_CODE);
}
