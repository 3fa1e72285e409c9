/**
 * Writes TypeScript's own libraries (`lib.es2023.d.ts` and the like) into `dist/lib`: ts-morph holds them in one
 * script of three megabytes, of which a project needs a third. Part of `npm run build`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import common from "@ts-morph/common";

const folder = join(import.meta.dirname, "../dist/lib");
mkdirSync(folder, { recursive: true });
for (const { fileName, text } of common.getLibFiles()) writeFileSync(join(folder, fileName), text);
