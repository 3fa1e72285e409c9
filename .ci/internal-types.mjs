/**
 * Runs before a package is packed, and excludes the type declarations that none of its entry points reaches: half of its files.
 * The list is `dist/.npmignore`, because npm reads such files in folders even if package.json has `files`.
 *
 * @see https://docs.npmjs.com/cli/v11/using-npm/developers#keeping-files-out-of-your-package
 * @module
 */
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The relative paths in imports, exports, types such as `import("./a.js").A`, and references. */
const RELATIVE = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"|<reference path="([^"]+)"/g;

/**
 * Returns the declaration files in `dist/` that no entry point reaches, relative to `dist/` and sorted.
 *
 * @param {string} folder The absolute path of a package.
 * @throws {Error} If an entry point is not built.
 */
export function findInternalTypes(folder) {
  const { exports } = /** @type {{ exports: object }} */ (
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  );
  const reached = new Set();
  /** @param {string} file */
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, module, reference] of readFileSync(file, "utf8").matchAll(RELATIVE)) {
      const path = resolve(dirname(file), module ?? reference ?? "").replace(/\.js$/, ".d.ts");
      // Modules such as style sheets have no declaration file of that name.
      if (path.endsWith(".d.ts") && existsSync(path)) visit(path);
    }
  };
  for (const entry of Object.values(exports))
    if (typeof entry === "object" && "types" in entry) visit(join(folder, String(entry.types)));
  const dist = join(folder, "dist");
  return readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".d.ts") && !reached.has(join(dist, path)))
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = process.cwd();
  const lines = findInternalTypes(folder).map((path) => `/${path}\n`);
  writeFileSync(join(folder, "dist/.npmignore"), lines.join(""));
}
