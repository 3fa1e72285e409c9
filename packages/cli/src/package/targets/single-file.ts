import { join, relative } from "node:path";
import { bundleOnce } from "../../bundle/bundle.js";
import { quoteWord } from "../../terminal/quote-word.js";
import { toFileName } from "../settings/package-settings.js";
import { describeLocated, rejectDataFiles } from "./accompanying-files.js";
import type { PackagedTarget, ServerParts } from "./package-target.js";

const ENTRY = "server.js";

/** Creates the target `--single-file`: the whole server in one file, with the npm packages that work in it. */
export async function createSingleFile(parts: ServerParts): Promise<PackagedTarget> {
  const { root, cwd, outDir, modules, edits, manifest, color } = parts;
  const folder = join(outDir, "single-file");
  const path = `${toFileName(manifest.server.name)}.mjs`;
  const bundle = await bundleOnce(
    { root, outDir: folder, entries: [ENTRY], bundlePackages: true, oneFile: {}, color },
    modules,
    edits,
  );
  rejectDataFiles(
    bundle,
    root,
    "A single file",
    "Import their content from a TypeScript or JSON module, or choose --npx, which contains them.",
  );
  const [content = ""] = bundle.files.values();
  const shown = quoteWord(relative(cwd, join(folder, path)));
  return {
    files: new Map([[path, content]]),
    needed: bundle.needed,
    notes: describeLocated(
      bundle,
      "Files that it reads are not included. The server finds them only if it runs in this folder.",
    ),
    next: [
      [`node ${shown}`, "serves over stdio"],
      [`node ${shown} --http --port 3000`, "serves at http://127.0.0.1:3000/mcp"],
    ],
  };
}
