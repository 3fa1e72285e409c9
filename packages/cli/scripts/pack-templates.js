/**
 * Copies the templates of the repository into the package in the current folder before it is packed (`copy`), and
 * removes them afterward (`remove`). Omits files that trying out a template leaves in its folder.
 */
import { cpSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isExcluded } from "../dist/create/copy-template.js";

const source = fileURLToPath(new URL("../../../templates", import.meta.url));
const target = resolve("templates");

rmSync(target, { recursive: true, force: true });
if (process.argv[2] === "copy") {
  cpSync(source, target, { recursive: true, filter: (path) => !isExcluded(basename(path)) });
}
