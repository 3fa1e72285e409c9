import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The files in which npm, pnpm, and Yarn record what they have installed. They write them at the end of an installation. */
const RECORDS = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"];

/** Returns the existing records of the folders from which a project loads packages: its own, and those of its workspace. */
export function findInstallRecords(root: string): string[] {
  const parent = dirname(root);
  const records = RECORDS.map((name) => join(root, "node_modules", name)).filter((path) => existsSync(path));
  return parent === root ? records : [...records, ...findInstallRecords(parent)];
}
