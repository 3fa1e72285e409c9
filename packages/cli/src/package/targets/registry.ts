import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { applyEdits, modify } from "jsonc-parser";
import { quoteWord } from "../../terminal/quote-word.js";
import { Failure } from "../../terminal/failure.js";
import { formatPathArgument } from "../../terminal/path-argument.js";
import type { PackagedTarget, ServerParts } from "./package-target.js";
import { describeUnknownReads } from "../settings/environment-options.js";
import { getRegistryName } from "../settings/registry-name.js";
import { listRegistryPackages } from "./registry-packages.js";
import { mergeServerJson, readServerJson, type ServerJson } from "./server-json.js";
import { getRepository } from "../settings/repository.js";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** Creates the target `--registry`: server.json, and the name in package.json that proves the ownership of the package. */
export async function createRegistry(parts: ServerParts): Promise<PackagedTarget> {
  const { root, cwd, settings, unknownAt } = parts;
  const name = getRegistryName(settings);
  const before = readServerJson(root);
  if (before?.name !== undefined && before.name !== name) {
    throw new Failure(`server.json has the name ${before.name}, but package.json has ${name}.`, {
      hint: `Put "mcpName": "${before.name}" into package.json, or change the name in server.json.`,
    });
  }
  const { merged, stale, unread } = mergeServerJson(before, createServerJson(parts, name));
  const updated = new Map([["server.json", `${JSON.stringify(merged, null, 2)}\n`]]);
  if (settings.mcpName === undefined) updated.set("package.json", insertName(root, name));
  const isGitHub = name.startsWith("io.github.");
  return {
    files: new Map(),
    updated,
    notes: [
      ...stale.map((each) => `server.json still lists ${each}, which this run did not package.`),
      ...unread.map(
        (each) =>
          `server.json lists ${each}, which the sources do not read. Remove it unless a dependency reads it.`,
      ),
      ...describeUnknownReads(unknownAt),
    ],
    next: [
      ...listUploads(parts),
      [`mcp-publisher login ${isGitHub ? "github" : "dns"}`, `proves that you own ${name.split("/")[0]}`],
      [
        `mcp-publisher publish${root === cwd ? "" : ` ${formatPathArgument(join(root, "server.json"), cwd)}`}`,
        "publishes server.json; publish everything that it names first",
      ],
    ],
  };
}

/** Returns server.json for this version. */
function createServerJson(parts: ServerParts, name: string): ServerJson {
  const { settings, version, manifest, url } = parts;
  const { title, websiteUrl = settings.homepage, icons = [] } = manifest.server;
  const repository = getRepository(settings);
  const packages = listRegistryPackages(parts);
  if (packages.length === 0 && url === undefined) {
    throw new Failure("server.json would name no package and no URL, because package.json is private.", {
      hint: "Also create the package with `tenon package --npx --registry`, or pass the URL of a running server with --url.",
    });
  }
  const publicIcons = icons.filter(({ src }) => src.startsWith("https://"));
  return {
    $schema: SCHEMA,
    name,
    ...(title !== undefined && { title }),
    description: settings.description ?? "",
    version,
    ...(repository !== undefined && {
      repository: {
        url: repository.url,
        source: repository.source,
        ...(repository.subfolder !== undefined && { subfolder: repository.subfolder }),
      },
    }),
    ...(websiteUrl !== undefined && URL.canParse(websiteUrl) && { websiteUrl }),
    ...(publicIcons.length > 0 && { icons: publicIcons }),
    ...(packages.length > 0 && { packages }),
    ...(url !== undefined && { remotes: [{ type: "streamable-http", url: checkUrl(url) }] }),
  };
}

function checkUrl(text: string): string {
  if (URL.canParse(text)) {
    const { protocol, hostname } = new URL(text);
    if (protocol === "https:" && !/^(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(hostname)) return text;
  }
  throw new Failure(`The MCP registry requires a public https URL (got ${text}).`, {
    hint: "Use a URL such as --url https://mcp.example.com/mcp.",
    exitCode: 2,
  });
}

/** Returns package.json with the name of the server in the registry, and otherwise unchanged. */
function insertName(root: string, name: string): string {
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

/** Returns the commands that publish what server.json refers to. */
function listUploads({
  root,
  settings,
  version,
  targets,
  packaged,
  cwd,
  outDir,
}: ServerParts): [string, string][] {
  const [bundle] = packaged.get("mcpb")?.files.keys() ?? [];
  return [
    ...(targets.has("npx") || settings.private === true
      ? []
      : [
          [
            `npm publish${root === cwd ? "" : ` ${formatPathArgument(root, cwd)}`}`,
            "publishes the package",
          ] as [string, string],
        ]),
    ...(bundle === undefined
      ? []
      : [
          [
            `gh release create v${version} ${quoteWord(relative(cwd, join(outDir, "mcpb", bundle)))}`,
            "uploads the bundle to the URL in server.json",
          ] as [string, string],
        ]),
  ];
}
