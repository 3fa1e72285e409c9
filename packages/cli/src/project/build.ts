import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { FileTree } from "@tenon/compiler";
import type { Profile } from "@tenon/runtime/manifest";
import type { LeftBehind } from "../bundle/files-left-behind.js";
import type { NeededPackage } from "../bundle/needed-packages.js";
import { TYPESCRIPT } from "../bundle/package-of.js";
import { buildProject } from "./build-project.js";
import { projectRoot } from "./project-root.js";
import { writeServerTypes } from "./server-types.js";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import type { Terminal } from "../terminal/terminal.js";
import { commandList } from "../terminal/command-list.js";
import { count, padEnd, summarize, widestOf, wrap } from "../terminal/text-format.js";
import { neededLines } from "./needed-lines.js";

export interface BuildOptions {
  /** Where to write instead of `dist`, relative to the current folder. */
  out?: string;
  /** Which clients the listed schemas are written for. */
  profile?: Profile;
}

/** `tenon build [dir]`: from sources to a server in `dist/`. */
export async function build(terminal: Terminal, folder = ".", options: BuildOptions = {}): Promise<number> {
  const started = performance.now();
  const root = projectRoot(folder, terminal.cwd);
  const outDir = projectRoot(options.out ?? `${root}/dist`, terminal.cwd);
  const {
    compilation,
    files,
    needed = [],
    leftBehind = [],
  } = await buildProject({
    root,
    outDir,
    color: terminal.err.color,
    ...(options.profile && { profile: options.profile }),
  });
  printDiagnostics(terminal.err, compilation.diagnostics);
  const { manifest } = compilation;
  const place = relative(terminal.cwd, outDir) || ".";
  if (!files || !manifest) {
    if (existsSync(join(outDir, "tenon.manifest.json"))) terminal.err.write(`${unchanged(place)}\n`);
    return 1;
  }
  writeServerTypes(manifest, root);

  const { paint } = terminal.out;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { name, version } = manifest.server;
  const lines = [
    `${paint.green("✓")} ${paint.bold(name)} ${version}: ${summarize(manifest)} ${paint.dim(`in ${seconds} s`)}`,
    "",
    ...listFiles(files, place).map((line) => `  ${line}`),
    "",
    ...listPackages(needed, place, terminal.out.columns),
    ...listLeftBehind(leftBehind, outDir, place, terminal.out.columns),
    ...commandList(
      [
        [`node ${place}/server.js`, "serves over stdio"],
        [`node ${place}/server.js --http --port 3000`, "serves at http://127.0.0.1:3000/mcp"],
      ],
      terminal.out,
    ),
  ];
  terminal.out.write(`${lines.join("\n")}\n`);
  return 0;
}

/** What becomes of the build before, when there is none now. */
function unchanged(place: string): string {
  return `Nothing was written: ${place}/ still holds the server of an earlier build.`;
}

/** The files a person may want to look at by name; the rest in one line. */
function listFiles(files: FileTree, place: string): string[] {
  const named = new Set(["server.js", "app.js", "tenon.manifest.json"]);
  const sizes = [...files].map(([name, content]) => ({ name, size: Buffer.byteLength(content) }));
  const others = sizes.filter(({ name }) => !named.has(name) && !name.endsWith(".map"));
  const rows = [
    ...sizes
      .filter(({ name }) => named.has(name))
      .map(({ name, size }) => ({ label: `${place}/${name}`, size })),
    {
      label: `${place}/… ${count(others.length, "more file")}`,
      size: others.reduce((sum, { size }) => sum + size, 0),
    },
  ];
  const width = widestOf(rows.map(({ label }) => label));
  return rows.map(({ label, size }) => `${padEnd(label, width)}  ${(size / 1024).toFixed(1).padStart(6)} kB`);
}

const HOW_TO_INSTALL = "Where it runs, `npm install --omit=dev` installs them beside it.";

/** What to install where the server runs, with a line after it; nothing when the server needs Node alone. */
function listPackages(needed: readonly NeededPackage[], place: string, columns: number): string[] {
  if (needed.length === 0) return [];
  const title = `Besides ${place}/, the server needs ${count(needed.length, "package")} in node_modules:`;
  const lines = [...neededLines(title, needed, columns - 2), ...wrap(HOW_TO_INSTALL, columns - 2)];
  return [...lines.map((line) => `  ${line}`), ""];
}

/** What the server reads of packages beside the project, by the path from the build; nothing where there is no such file. */
function listLeftBehind(
  left: readonly LeftBehind[],
  outDir: string,
  place: string,
  columns: number,
): string[] {
  if (left.length === 0) return [];
  const [what, stays] =
    left.length === 1 ? ["a file of another package", "it stays"] : ["files of other packages", "they stay"];
  const title = `The server reads ${what} of the workspace, and ${stays} there:`;
  const rows = left.map(({ path, name }) => {
    const how = TYPESCRIPT.test(path) ? "reads files by its own place" : "";
    const from = [name === undefined ? "" : `of ${name}`, how].filter(Boolean).join(", ");
    return `  ${relative(outDir, path).replaceAll("\\", "/")}  ${from}`.trimEnd();
  });
  const advice = `A copy of ${place}/ looks for ${left.length === 1 ? "it at this path" : "them at these paths"} from its own folder.`;
  const lines = [...wrap(title, columns - 2), ...rows, ...wrap(advice, columns - 2)];
  return [...lines.map((line) => `  ${line}`), ""];
}
