import { relative } from "node:path";
import type { FileTree } from "@tenon/compiler";
import { buildProject } from "../build-project.js";
import { printDiagnostics } from "../print-diagnostics.js";
import { projectRoot } from "../project-root.js";
import type { Terminal } from "../terminal.js";
import { offer } from "../wording.js";

export interface BuildOptions {
  /** Where to write instead of `dist`, relative to the current folder. */
  out?: string;
}

/** `tenon build [dir]`: from sources to a server in `dist/`. */
export async function build(terminal: Terminal, folder = ".", options: BuildOptions = {}): Promise<number> {
  const started = performance.now();
  const root = projectRoot(folder, terminal.cwd);
  const outDir = projectRoot(options.out ?? `${root}/dist`, terminal.cwd);
  const { compilation, files } = await buildProject({ root, outDir, color: terminal.err.color });
  printDiagnostics(terminal.err, compilation.diagnostics);
  const { manifest } = compilation;
  if (!files || !manifest) return 1;

  const { paint } = terminal.out;
  const place = relative(terminal.cwd, outDir) || ".";
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { name, version } = manifest.server;
  const lines = [
    `${paint.green("✓")} ${paint.bold(name)} ${version}: ${offer(manifest)} ${paint.dim(`in ${seconds} s`)}`,
    "",
    ...listFiles(files, place).map((line) => `  ${line}`),
    "",
    `  ${paint.bold(`node ${place}/server.js`)}                       ${paint.dim("serve over stdio")}`,
    `  ${paint.bold(`node ${place}/server.js --http --port 3000`)}    ${paint.dim("serve at http://127.0.0.1:3000/mcp")}`,
  ];
  terminal.out.write(`${lines.join("\n")}\n`);
  return 0;
}

/** Source maps are left out: they are not read by people. */
function listFiles(files: FileTree, place: string): string[] {
  const shown = [...files].filter(([name]) => !name.endsWith(".map"));
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, content]) => {
    const size = (Buffer.byteLength(content) / 1024).toFixed(1).padStart(width - name.length + 7);
    return `${place}/${name}${size} kB`;
  });
}
