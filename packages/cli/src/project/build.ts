import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { FileTree } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import type { ExternalFile, UnbuiltFile } from "../bundle/external-files.js";
import { quoteWord } from "../terminal/quote-word.js";
import type { NeededPackage } from "../bundle/needed-packages.js";
import { TYPESCRIPT } from "../bundle/installed-packages.js";
import { buildProject } from "./build-project.js";
import { findProjectRoot, resolveProjectRoot } from "./project-root.js";
import { writeServerTypes } from "./server-types.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import { formatNextStep, SUGGESTED_CLIENT } from "../terminal/next-step.js";
import { formatPathArgument } from "../terminal/path-argument.js";
import type { Terminal } from "../terminal/terminal.js";
import { formatCommands } from "../terminal/command-list.js";
import { formatCount, wrap } from "../terminal/text-format.js";
import { formatNeededPackages } from "./needed-lines.js";
import { describeUnbuilt } from "./unbuilt-lines.js";
import { formatSizes, formatSuccess } from "./result-lines.js";

/** The options of `tenon build`. */
export interface BuildOptions {
  /** The output folder, relative to the current folder (default: `dist`). */
  out?: string;
  /** The profile for the listed schemas. */
  profile?: Profile;
}

/** Runs `tenon build [dir]`. Returns the exit code. */
export async function build(terminal: Terminal, folder = ".", options: BuildOptions = {}): Promise<number> {
  const started = performance.now();
  const root = findProjectRoot(folder, terminal.cwd);
  const outDir = resolveProjectRoot(options.out ?? `${root}/dist`, terminal.cwd);
  const {
    compilation,
    files,
    needed = [],
    externalFiles = [],
    unbuiltFiles = [],
  } = await buildProject({
    root,
    outDir,
    color: terminal.err.color,
    ...(options.profile && { profile: options.profile }),
  });
  printDiagnostics(terminal.err, compilation.diagnostics);
  const { manifest } = compilation;
  const outPath = relative(terminal.cwd, outDir) || ".";
  if (!files || !manifest) {
    if (existsSync(join(outDir, "tenon.manifest.json")))
      terminal.err.write(`${formatUnchangedNote(outPath)}\n`);
    return 1;
  }
  writeServerTypes(manifest, root);

  const { paint } = terminal.out;
  const seconds = (performance.now() - started) / 1000;
  const serverFile = quoteWord(`${outPath}/server.js`);
  // From a folder that is not in the project, `install` cannot find it.
  const isInProject = findProjectRoot(".", terminal.cwd) === root;
  const location = isInProject ? "" : ` ${formatPathArgument(root, terminal.cwd)}`;
  const lines = [
    formatSuccess(manifest, seconds, paint),
    "",
    ...listFiles(files, outPath).map((line) => `  ${line}`),
    "",
    ...listPackages(needed, outPath, terminal.out.columns),
    ...listExternalFiles(externalFiles, outDir, outPath, terminal.out.columns),
    ...listUnbuiltFiles(unbuiltFiles, terminal.out.columns),
    ...formatCommands(
      [
        [`node ${serverFile}`, "serves over stdio"],
        [`node ${serverFile} --http --port 3000`, "serves at http://127.0.0.1:3000/mcp"],
      ],
      terminal.out,
    ),
    "",
    formatNextStep(`npx tenon install ${SUGGESTED_CLIENT}${location}`, "connects a client", paint),
  ];
  terminal.out.write(`${lines.join("\n")}\n`);
  return 0;
}

/** Formats the note that an earlier build still exists. */
function formatUnchangedNote(outPath: string): string {
  return `Nothing was written. ${outPath}/ still contains an earlier build.`;
}

/** Lists the main files by name, and the others on one line. */
function listFiles(files: FileTree, outPath: string): string[] {
  const named = new Set(["server.js", "app.js", "tenon.manifest.json", ...listViewModules(files)]);
  const sizes = [...files].map(([name, content]) => ({ name, size: Buffer.byteLength(content) }));
  const others = sizes.filter(({ name }) => !named.has(name) && !name.endsWith(".map"));
  const rows = [
    ...sizes
      .filter(({ name }) => named.has(name))
      .map(({ name, size }) => ({ label: `${outPath}/${name}`, size })),
    {
      label: `${outPath}/… ${formatCount(others.length, "more file")}`,
      size: others.reduce((sum, { size }) => sum + size, 0),
    },
  ];
  return formatSizes(rows);
}

/** Lists the modules of views, whose sizes matter to clients. */
function listViewModules(files: FileTree): string[] {
  return [...files.keys()].filter((name) => /^view-.*\.js$/.test(name));
}

const INSTALL_HINT = "Install them next to it with `npm install --omit=dev`.";

/** Lists the packages to install next to the server, followed by an empty line. */
function listPackages(needed: readonly NeededPackage[], outPath: string, columns: number): string[] {
  if (needed.length === 0) return [];
  const title = `Besides ${outPath}/, the server needs ${formatCount(needed.length, "package")} in node_modules:`;
  const lines = [...formatNeededPackages(title, needed, columns - 2), ...wrap(INSTALL_HINT, columns - 2)];
  return [...lines.map((line) => `  ${line}`), ""];
}

/** Lists the files next to sources that are not part of the build, each sentence followed by an empty line. */
function listUnbuiltFiles(files: readonly UnbuiltFile[], columns: number): string[] {
  return describeUnbuilt(files).flatMap((sentence) => [
    ...wrap(sentence, columns - 2).map((line) => `  ${line}`),
    "",
  ]);
}

/** Lists the files that the server reads from other packages, relative to the output folder. */
function listExternalFiles(
  files: readonly ExternalFile[],
  outDir: string,
  outPath: string,
  columns: number,
): string[] {
  if (files.length === 0) return [];
  const isOne = files.length === 1;
  const title = isOne
    ? "The server reads a file from another workspace package. It was not copied:"
    : "The server reads files from other workspace packages. They were not copied:";
  const rows = files.map(({ path, name }) => {
    const use = TYPESCRIPT.test(path) ? "reads files relative to itself" : "";
    const from = [name === undefined ? "" : `of ${name}`, use].filter(Boolean).join(", ");
    return `  ${relative(outDir, path).replaceAll("\\", "/")}  ${from}`.trimEnd();
  });
  const advice = `If you move ${outPath}/, put ${isOne ? "the file at this path" : "the files at these paths"} relative to its new location.`;
  const lines = [...wrap(title, columns - 2), ...rows, ...wrap(advice, columns - 2)];
  return [...lines.map((line) => `  ${line}`), ""];
}
