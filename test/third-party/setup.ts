import { installFolder } from "../../.ci/install-folder.mjs";

/** Vitest's global set-up for groups of tests that need what is in this folder's package.json: it is installed. */
export default function setup(): void {
  installFolder(import.meta.dirname);
}
