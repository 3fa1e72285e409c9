import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type EnvironmentVariable, type FileTree, writeFileTree } from "@tenon/compiler";
import { NATIVE_CODE } from "../../bundle/bundled-packages.js";
import { installedFolder } from "../../bundle/package-of.js";
import { runProgram } from "../../create/run-program.js";
import { Failure } from "../../terminal/failure.js";
import { filesOf } from "./accompanying-files.js";
import { leftBehindNotes } from "./left-behind-notes.js";
import { formatOf, isSecret, titleOf } from "../settings/environment-options.js";
import type { BuiltServer, MadeForm, ServerParts } from "./package-form.js";
import { authorOf, fileName, requiredVersion } from "../settings/package-settings.js";
import { repositoryOf } from "../settings/repository.js";
import { vendoredFiles } from "./vendored-packages.js";

/** Which hosts of bundles understand. */
const MANIFEST_VERSION = "0.3";
const PACKER = "@anthropic-ai/mcpb";
const PACKER_RANGE = "^2.1.2";

const ICON = "icon.png";

/** `--mcpb`: one file that Claude Desktop and others install, packed by the official packer. */
export async function makeMcpb(parts: ServerParts): Promise<MadeForm> {
  const { root, cwd, outDir, settings, environment, built } = parts;
  const server = await built();
  const accompanying = filesOf(root, settings.files ?? []);
  const content: FileTree = new Map([
    ["manifest.json", `${JSON.stringify(bundleManifest(parts, server), null, 2)}\n`],
    ["package.json", `${JSON.stringify({ type: "module" })}\n`],
    ...[...server.files].map(([path, text]): [string, string | Uint8Array] => [`dist/${path}`, text]),
    ["dist/start.js", startModule(environment)],
    ...accompanying.files,
    ...(existsSync(join(root, ICON)) ? [[ICON, readFileSync(join(root, ICON))] as const] : []),
    ...vendoredFiles(
      server.needed.map(({ name }) => name),
      root,
    ),
  ]);
  const name = `${fileName(settings.name)}-${requiredVersion(settings)}.mcpb`;
  const file = relative(cwd, join(outDir, "mcpb", name));
  const isNative = hasNative(server);
  return {
    files: new Map([[name, await pack(content, root)]]),
    notes: [
      ...optionNotes(environment),
      ...(isNative
        ? [
            `It has native code for ${process.platform} on ${process.arch}, and runs nowhere else: ${server.needed.map((each) => each.name).join(", ")}.`,
          ]
        : []),
      ...accompanying.notes,
      ...leftBehindNotes(server, accompanying, root),
      ...(existsSync(join(root, ICON)) ? [] : [`An ${ICON} in the project would be its picture.`]),
    ],
    next: [
      [`npx ${PACKER} info ${file}`, "shows what is known of it"],
      [`npx ${PACKER} sign ${file}`, "signs it"],
      [file, "is what people open with Claude Desktop"],
    ],
  };
}

function hasNative({ needed }: BuiltServer): boolean {
  return needed.some(({ reason }) => reason === NATIVE_CODE);
}

/** @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
function bundleManifest({ settings, manifest, environment, root }: ServerParts, server: BuiltServer): object {
  const { description, homepage, bugs, license, keywords, engines } = settings;
  const author = authorOf(settings);
  const repository = repositoryOf(settings);
  const support = typeof bugs === "string" ? bugs : bugs?.url;
  const { title, websiteUrl } = manifest.server;
  const changes = manifest.tools.some(({ guards = [] }) => guards.includes("enabled"));
  return {
    manifest_version: MANIFEST_VERSION,
    name: fileName(settings.name),
    ...(title !== undefined && { display_name: title }),
    version: requiredVersion(settings),
    description,
    author,
    ...(repository !== undefined && { repository: { type: "git", url: repository.url } }),
    ...definedUrl("homepage", homepage ?? websiteUrl),
    ...definedUrl("support", support),
    ...(existsSync(join(root, ICON)) && { icon: ICON }),
    server: {
      type: "node",
      entry_point: "dist/start.js",
      mcp_config: {
        command: "node",
        args: ["${__dirname}/dist/start.js"],
        env: Object.fromEntries(environment.map(({ name }) => [name, `\${user_config.${optionOf(name)}}`])),
      },
    },
    tools: manifest.tools.map(({ definition: { name, description: says } }) => ({
      name,
      ...(says !== undefined && { description: says }),
    })),
    ...(changes && { tools_generated: true }),
    ...(manifest.prompts.length > 0 && { prompts_generated: true }),
    ...(keywords !== undefined && { keywords }),
    ...(license !== undefined && { license }),
    compatibility: {
      platforms: hasNative(server) ? [process.platform] : ["darwin", "win32", "linux"],
      runtimes: { node: engines?.["node"] ?? ">=20.19" },
    },
    ...(environment.length > 0 && {
      user_config: Object.fromEntries(environment.map((each) => [optionOf(each.name), userOption(each)])),
    }),
  };
}

function definedUrl(name: string, url: string | undefined): object {
  return url !== undefined && URL.canParse(url) ? { [name]: url } : {};
}

function optionOf(name: string): string {
  return name.toLowerCase();
}

const OPTION_TYPES = { string: "string", number: "number", filepath: "file", folder: "directory" } as const;

/** What a person is asked for before the server starts. */
function userOption(variable: EnvironmentVariable): object {
  const { name, description, default: fallback, optional } = variable;
  const format = formatOf(variable);
  return {
    type: OPTION_TYPES[format],
    title: titleOf(name),
    description: description ?? `The variable ${name} of the server's environment.`,
    required: !optional,
    ...(isSecret(name) && { sensitive: true }),
    // Where there is neither a default nor a value, hosts leave the placeholder.
    ...(fallback !== undefined && { default: format === "number" ? Number(fallback) : fallback }),
  };
}

/** The text of the module that a host starts: what a person has left empty is no variable. */
function startModule(environment: readonly EnvironmentVariable[]): string {
  const names = environment.map(({ name }) => name);
  return `const options = ${JSON.stringify(names)};
for (const name of options) {
  if (/^(?:\\$\\{user_config\\..*\\})?$/.test(process.env[name] ?? "")) delete process.env[name];
}
await import("./server.js");
`;
}

function optionNotes(environment: readonly EnvironmentVariable[]): string[] {
  if (environment.length === 0) return [];
  const names = environment.map(({ name, optional }) => (optional ? `${name} (if they like)` : name));
  return [`Whoever installs it is asked for ${names.join(", ")}.`];
}

/** Has the official packer check and pack a bundle: the project's own, or the one that npm has. */
async function pack(content: FileTree, root: string): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-mcpb-"));
  try {
    const [bundle, file] = [join(folder, "bundle"), join(folder, "packed.mcpb")];
    writeFileTree(content, bundle);
    const installed = installedFolder(PACKER, root);
    const [program, ...args] =
      installed === undefined
        ? (["npx", "--yes", `${PACKER}@${PACKER_RANGE}`] as const)
        : ([process.execPath, join(installed, "dist/cli/cli.js")] as const);
    const { exitCode, output } = await runProgram(program, [...args, "pack", bundle, file], { cwd: folder });
    if (exitCode === 0 && existsSync(file)) return readFileSync(file);
    throw new Failure(`The official packer of bundles failed:\n\n${output.trim()}`, {
      hint: `It is ${PACKER}; \`npm install --save-dev ${PACKER}\` lets it work without the network.`,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
