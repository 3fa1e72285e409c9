import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { installFolder } from "../../../.ci/install-folder.mjs";
import { workspace } from "../pages.js";

const FOLDER = join(workspace, "packages/docs");

/** The built site. */
export const SITE = join(FOLDER, "dist");

/** The repository that its links lead to in tests. */
export const REPOSITORY = "https://github.com/example/tenon";

/** Builds the site, as Vitest's global setup for groups with tests of the site. */
export default function setup(): void {
  installFolder(FOLDER);
  const env = { ...process.env, GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "example/tenon" };
  execFileSync(process.execPath, [join(FOLDER, "node_modules/vitepress/bin/vitepress.js"), "build"], {
    cwd: FOLDER,
    env,
    stdio: ["ignore", 2, 2],
  });
}
