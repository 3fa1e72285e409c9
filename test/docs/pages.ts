import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const workspace = join(import.meta.dirname, "../..");

/** What people read: the documentation, and the pages that lie beside the packages and travel with them. */
const FOLDERS = [
  "packages/docs",
  "packages/docs/guide",
  "packages/docs/concepts",
  "packages/docs/reference",
  "packages/runtime",
  "packages/compiler",
  "packages/compiler/errors",
  "packages/cli",
  "packages/create-mcp-server",
];

export interface Page {
  /** From the top of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every page that is tested. README.md has a test of its own, which holds its code to more than this one would. */
export function pages(): Page[] {
  const paths = FOLDERS.filter((folder) => existsSync(join(workspace, folder))).flatMap((folder) =>
    readdirSync(join(workspace, folder))
      .filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md")
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  return ["README.md", ...paths].map((path) => ({ path, text: readFileSync(join(workspace, path), "utf8") }));
}
