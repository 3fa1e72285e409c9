import { join, relative } from "node:path";
import { bundleOneFile } from "../../bundle/one-file.js";
import { fileName } from "../settings/package-settings.js";
import { locatedNotes } from "./located-sources.js";
import type { MadeForm, ServerParts } from "./package-form.js";

/** `--single`: the whole server in one file, with the npm packages that work in it. */
export async function makeSingle(parts: ServerParts): Promise<MadeForm> {
  const { root, cwd, outDir, modules, edits, manifest, color } = parts;
  const path = `${fileName(manifest.server.name)}.mjs`;
  const file = join(outDir, "single", path);
  const { text, needed, sources } = await bundleOneFile({
    root,
    file,
    modules,
    edits,
    entry: "server.js",
    color,
  });
  const shown = relative(cwd, file);
  return {
    files: new Map([[path, text]]),
    needed,
    notes: locatedNotes(sources, root, "Those are not in the file, which finds them from this folder alone."),
    next: [
      [`node ${shown}`, "serves over stdio"],
      [`node ${shown} --http --port 3000`, "serves at http://127.0.0.1:3000/mcp"],
    ],
  };
}
