import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type EnvironmentVariable, type FileTree, writeFileTree } from "@tenon/compiler";
import { findInstalledFolder } from "../../bundle/installed-packages.js";
import { quoteWord } from "../../terminal/quote-word.js";
import { runProgram } from "../../create/run-program.js";
import { removeBuilds } from "../../files/running-processes.js";
import { Failure } from "../../terminal/failure.js";
import { handleInterruptions } from "../../terminal/interruption.js";
import { formatList } from "../../terminal/text-format.js";
import { createBundleManifest, hasNativeCode, ICON } from "./mcpb-manifest.js";
import type { PackagedTarget, ServerParts } from "./package-target.js";
import { describeUnknownReads } from "../settings/environment-options.js";
import { toFileName } from "../settings/package-settings.js";
import { findBundleHash, hashBundle } from "./registry-packages.js";
import { readVendoredFiles } from "./vendored-packages.js";
import { resetZipTimes } from "./zip-times.js";

const PACKER = "@anthropic-ai/mcpb";
const PACKER_RANGE = "^2.1.2";

/** Creates the target `--mcpb`: one file that Claude Desktop and other clients install, packed with the official packer. */
export async function createMcpb(parts: ServerParts): Promise<PackagedTarget> {
  const { root, cwd, outDir, settings, version, environment, unknownAt, targets, buildOnce } = parts;
  const server = await buildOnce();
  const { needed, accompanying } = server;
  const content: FileTree = new Map([
    ["manifest.json", `${JSON.stringify(createBundleManifest(parts, server), null, 2)}\n`],
    ["package.json", `${JSON.stringify({ type: "module" })}\n`],
    ...[...server.files].map(([path, text]): [string, string | Uint8Array] => [`dist/${path}`, text]),
    ["dist/start.js", createStartModule(environment)],
    ...accompanying.files,
    ...(existsSync(join(root, ICON)) ? [[ICON, readFileSync(join(root, ICON))] as const] : []),
    ...readVendoredFiles(
      needed.map(({ name }) => name),
      root,
    ),
  ]);
  const name = `${toFileName(settings.name)}-${version}.mcpb`;
  const file = quoteWord(relative(cwd, join(outDir, "mcpb", name)));
  const isNative = hasNativeCode(server);
  const bundle = resetZipTimes(await pack(content, root));
  return {
    files: new Map([[name, bundle]]),
    notes: [
      ...describeOptions(environment),
      ...describeUnknownReads(unknownAt),
      ...(isNative
        ? [
            `It contains native code and runs only on ${process.platform} (${process.arch}): ${needed.map((each) => each.name).join(", ")}.`,
          ]
        : []),
      ...accompanying.notes,
      ...(targets.has("registry") ? [] : describeOutdatedHash(hashBundle(bundle), findBundleHash(root))),
      ...(existsSync(join(root, ICON)) ? [] : [`To give the bundle an icon, add ${ICON} to the project.`]),
    ],
    next: [
      [`npx ${PACKER} info ${file}`, "shows information about it"],
      [
        `npx ${PACKER} sign ${file}`,
        targets.has("registry") ? "signs it; then write its new SHA-256 to server.json" : "signs it",
      ],
      [file, "opens in Claude Desktop"],
    ],
  };
}

/** Returns the module that a host starts. It unsets the variables that the user has left empty. */
function createStartModule(environment: readonly EnvironmentVariable[]): string {
  const names = environment.map(({ name }) => name);
  return `const options = ${JSON.stringify(names)};
for (const name of options) {
  if (/^(?:\\$\\{user_config\\..*\\})?$/.test(process.env[name] ?? "")) delete process.env[name];
}
await import("./server.js");
`;
}

function describeOptions(environment: readonly EnvironmentVariable[]): string[] {
  if (environment.length === 0) return [];
  const names = environment.map(({ name, optional }) => (optional ? `${name} (optional)` : name));
  return [`The user who installs it is prompted for ${formatList(names)}.`];
}

/** Returns a note if server.json has the hash of a different bundle, which clients would then reject. */
function describeOutdatedHash(hash: string, listed: string | undefined): string[] {
  return listed === undefined || listed === hash
    ? []
    : ["server.json has the SHA-256 of a different bundle. To update it, add --registry."];
}

/** Checks and packs a bundle with the official packer: the one installed in the project, or the one from npm. */
async function pack(content: FileTree, root: string): Promise<Buffer> {
  const interruption = handleInterruptions();
  const folder = mkdtempSync(join(tmpdir(), "tenon-mcpb-"));
  try {
    const [bundle, file] = [join(folder, "bundle"), join(folder, "packed.mcpb")];
    writeFileTree(content, bundle);
    const installed = findInstalledFolder(PACKER, root);
    const [program, ...args] =
      installed === undefined
        ? (["npx", "--yes", `${PACKER}@${PACKER_RANGE}`] as const)
        : ([process.execPath, join(installed, "dist/cli/cli.js")] as const);
    const { signal } = interruption;
    const { exitCode, output } = await runProgram(program, [...args, "pack", bundle, file], {
      cwd: folder,
      signal,
    });
    if (signal.aborted)
      throw new Failure("Cancelled. Nothing was written.", { exitCode: interruption.exitCode });
    if (exitCode === 0 && existsSync(file)) return readFileSync(file);
    const hint = /manifest validation failed/i.test(output)
      ? "The fields of the manifest come from package.json. Correct them there."
      : `To pack without a network connection, install the packer first: \`npm install --save-dev ${PACKER}\`.`;
    throw new Failure(`The official bundle packer failed:\n\n${output.trim()}`, { hint });
  } finally {
    removeBuilds(folder);
    interruption.release();
  }
}
