import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plugin } from "vite";
import { bundle } from "./bundle.mjs";
import { EMITTED, forgetEmitted, readEmitted, resolveFromEmitted } from "./emitted-modules.mjs";

/** The prefix of a specifier with the absolute path of an entry. The module's default export is the path of the bundled program. */
const PROGRAM = "program:";

/** The prefix with which Vite marks modules that are not files. */
const VIRTUAL = "\0";

let folder: string | undefined;
const programs = new Map<string, Promise<string>>();

async function bundleProgram(entry: string): Promise<string> {
  if (folder === undefined) {
    const created = mkdtempSync(join(tmpdir(), "tenon-programs-"));
    process.once("exit", () => rmSync(created, { recursive: true, force: true }));
    folder = created;
  }
  const outfile = join(folder, String(programs.size), "server.mjs");
  await bundle(entry, outfile);
  return outfile;
}

/**
 * Creates a Vite plugin that lets tests import what the compiler emits for a project, and servers as programs. It works
 * in the process from which all workers request modules, so each project is compiled and each program bundled once per
 * run.
 *
 * @example
 * import { application } from "emitted:test/runtime/fixture/application.js";
 */
export function compiledServers(): Plugin {
  return {
    name: "tenon-compiled-servers",
    enforce: "pre",
    async resolveId(id, importer) {
      if (id.startsWith(EMITTED) || id.startsWith(PROGRAM)) return virtualId(id);
      if (importer?.startsWith(VIRTUAL + EMITTED) !== true) return null;
      const found = resolveFromEmitted(id, importer.slice((VIRTUAL + EMITTED).length));
      if ("emitted" in found) return virtualId(EMITTED + found.emitted);
      return this.resolve(
        "file" in found ? found.file : found.bare,
        "from" in found ? found.from : undefined,
      );
    },
    async load(id) {
      if (id.startsWith(VIRTUAL + EMITTED)) {
        const path = id.slice((VIRTUAL + EMITTED).length).replace(/\.json\.js$/, ".json");
        const text = await readEmitted(path);
        return { code: path.endsWith(".json") ? `export default ${text};` : text, map: null };
      }
      if (!id.startsWith(VIRTUAL + PROGRAM)) return null;
      const entry = id.slice((VIRTUAL + PROGRAM).length);
      let program = programs.get(entry);
      if (program === undefined) programs.set(entry, (program = bundleProgram(entry)));
      return { code: `export default ${JSON.stringify(await program)};`, map: null };
    },
    watchChange: (file) => {
      forgetEmitted(file);
      programs.clear();
    },
  };
}

/**
 * Returns the ID of a virtual module. JSON is already a module here, and Vite would parse it again because of its
 * extension.
 */
function virtualId(id: string): string {
  return VIRTUAL + id.replace(/\.json$/, ".json.js");
}
