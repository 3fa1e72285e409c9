/**
 * Puts the templates of the repository into the package that is being packed, whose folder is the current one: `copy`
 * before, `remove` after.
 * What trying a template out leaves in its folder stays behind.
 */
import { cpSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isLeftBehind } from "../dist/create/copy-template.js";

const source = fileURLToPath(new URL("../../../templates", import.meta.url));
const target = resolve("templates");

rmSync(target, { recursive: true, force: true });
if (process.argv[2] === "copy") {
  cpSync(source, target, { recursive: true, filter: (path) => !isLeftBehind(basename(path)) });
}
