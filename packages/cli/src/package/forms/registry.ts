import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { EnvironmentVariable } from "@tenon/compiler";
import { applyEdits, modify } from "jsonc-parser";
import { quoteWord } from "../../create/quote-word.js";
import { Failure } from "../../terminal/failure.js";
import { imageOf } from "./container-image.js";
import { formatOf, isSecret } from "../settings/environment-options.js";
import type { MadeForm, ServerParts } from "./package-form.js";
import { requiredVersion } from "../settings/package-settings.js";
import { registryName } from "../settings/registry-name.js";
import { mergeServerJson, readServerJson, type RegistryPackage, type ServerJson } from "./server-json.js";
import { repositoryOf } from "../settings/repository.js";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** `--registry`: server.json, and the name in package.json by which the registry sees that the package is the author's. */
export async function makeRegistry(parts: ServerParts): Promise<MadeForm> {
  const { root, settings } = parts;
  const name = registryName(settings);
  const before = readServerJson(root);
  if (before?.name !== undefined && before.name !== name) {
    throw new Failure(`server.json is of ${before.name}, and package.json of ${name}.`, {
      hint: `Put "mcpName": "${before.name}" into package.json, or change the name in server.json.`,
    });
  }
  const { merged, stale, unread } = mergeServerJson(before, serverJson(parts, name));
  const updated = new Map([["server.json", `${JSON.stringify(merged, null, 2)}\n`]]);
  if (settings.mcpName === undefined) updated.set("package.json", withName(root, name));
  const isGitHub = name.startsWith("io.github.");
  return {
    files: new Map(),
    updated,
    notes: [
      ...stale.map((each) => `server.json still names ${each}, which was not made now.`),
      ...unread.map(
        (each) => `server.json asks for ${each}, which no source reads: take it out if no package does.`,
      ),
    ],
    next: [
      ...uploads(parts),
      [`mcp-publisher login ${isGitHub ? "github" : "dns"}`, `shows that ${name.split("/")[0]} is yours`],
      ["mcp-publisher publish", "publishes server.json, once all that it names is published"],
    ],
  };
}

/** What server.json says of this version. */
function serverJson(parts: ServerParts, name: string): ServerJson {
  const { settings, manifest, url } = parts;
  const { title, websiteUrl = settings.homepage, icons = [] } = manifest.server;
  const repository = repositoryOf(settings);
  const packages = [...npmPackage(parts), ...bundlePackage(parts), ...imagePackage(parts)];
  if (packages.length === 0 && url === undefined) {
    throw new Failure("There is nothing that the MCP registry could lead to: package.json is private.", {
      hint: "Package it as well, `tenon package --npx --registry`, or give the URL of a running server: --url.",
    });
  }
  const shown = icons.filter(({ src }) => src.startsWith("https://"));
  return {
    $schema: SCHEMA,
    name,
    ...(title !== undefined && { title }),
    description: settings.description ?? "",
    version: requiredVersion(settings),
    ...(repository !== undefined && {
      repository: {
        url: repository.url,
        source: repository.source,
        ...(repository.subfolder !== undefined && { subfolder: repository.subfolder }),
      },
    }),
    ...(websiteUrl !== undefined && URL.canParse(websiteUrl) && { websiteUrl }),
    ...(shown.length > 0 && { icons: shown }),
    ...(packages.length > 0 && { packages }),
    ...(url !== undefined && { remotes: [{ type: "streamable-http", url: checkedUrl(url) }] }),
  };
}

function npmPackage({ settings, forms, environment }: ServerParts): RegistryPackage[] {
  if (settings.private === true && !forms.has("npx")) return [];
  return [
    {
      registryType: "npm",
      registryBaseUrl: "https://registry.npmjs.org",
      identifier: settings.name,
      version: requiredVersion(settings),
      runtimeHint: "npx",
      transport: { type: "stdio" },
      ...variables(environment),
    },
  ];
}

/** The registry takes bundles from releases on GitHub and GitLab. */
function bundlePackage({ settings, environment, made }: ServerParts): RegistryPackage[] {
  const [bundle] = [...(made("mcpb")?.files ?? [])];
  if (bundle === undefined) return [];
  const [file, content] = bundle;
  const repository = repositoryOf(settings);
  const version = requiredVersion(settings);
  const releases: Record<string, string> = {
    github: `releases/download/v${version}/${file}`,
    gitlab: `-/releases/v${version}/downloads/${file}`,
  };
  const release = releases[repository?.source ?? ""];
  // Others have been refused before.
  if (repository === undefined || release === undefined) return [];
  return [
    {
      registryType: "mcpb",
      identifier: `${repository.url}/${release}`,
      version,
      fileSha256: createHash("sha256").update(content).digest("hex"),
      transport: { type: "stdio" },
      ...variables(environment),
    },
  ];
}

function imagePackage({ settings, forms, environment }: ServerParts): RegistryPackage[] {
  if (!forms.has("docker")) return [];
  return [
    {
      registryType: "oci",
      identifier: imageOf(settings),
      runtimeHint: "docker",
      runtimeArguments: [{ type: "named", name: "-p", value: "127.0.0.1:3000:3000" }],
      transport: { type: "streamable-http", url: "http://127.0.0.1:3000/mcp" },
      ...variables(environment),
    },
  ];
}

function variables(
  environment: readonly EnvironmentVariable[],
): Pick<RegistryPackage, "environmentVariables"> {
  if (environment.length === 0) return {};
  return {
    environmentVariables: environment.map((variable) => {
      const { name, description, default: fallback, optional } = variable;
      const format = formatOf(variable);
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

function checkedUrl(text: string): string {
  if (URL.canParse(text)) {
    const { protocol, hostname } = new URL(text);
    if (protocol === "https:" && !/^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname)) return text;
  }
  throw new Failure(`The MCP registry takes addresses that everybody can reach by https (got ${text}).`, {
    hint: "Such as --url https://mcp.example.com/mcp.",
    exitCode: 2,
  });
}

/** package.json with the name by which the registry knows the server, and all else as it was. */
function withName(root: string, name: string): string {
  const [, mark = "", text = ""] =
    /^(\uFEFF?)([^]*)$/.exec(readFileSync(join(root, "package.json"), "utf8")) ?? [];
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "  ";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const edits = modify(text, ["mcpName"], name, {
    formattingOptions: { insertSpaces: !indent.startsWith("\t"), tabSize: indent.length, eol },
    getInsertionIndex: (names) => names.indexOf("name") + 1,
  });
  return mark + applyEdits(text, edits);
}

/** What server.json names has to be where it says. */
function uploads({ settings, forms, made, cwd, outDir }: ServerParts): [string, string][] {
  const [bundle] = made("mcpb")?.files.keys() ?? [];
  return [
    ...(forms.has("npx") || settings.private === true
      ? []
      : [["npm publish", "publishes the package"] as [string, string]]),
    ...(bundle === undefined
      ? []
      : [
          [
            `gh release create v${requiredVersion(settings)} ${quoteWord(relative(cwd, join(outDir, "mcpb", bundle)))}`,
            "puts the bundle where server.json says",
          ] as [string, string],
        ]),
  ];
}
