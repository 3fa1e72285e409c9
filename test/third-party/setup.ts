import { installFolder } from "../../.ci/install-folder.mjs";

/** Vitest's global setup for tests that need the packages in this folder's package.json: installs them. */
export default function setup(): void {
  installFolder(import.meta.dirname);
}
