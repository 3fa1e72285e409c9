import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const workspace = join(import.meta.dirname, "../..");

/** Folders with pages: the documentation, and the packages, which contain READMEs and error pages. */
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
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns every page that is tested. The code of README.md has its own, stricter test. */
export function pages(): Page[] {
  const paths = FOLDERS.filter((folder) => existsSync(join(workspace, folder))).flatMap((folder) =>
    readdirSync(join(workspace, folder))
      .filter((name) => name.endsWith(".md") && name !== "CHANGELOG.md")
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  return ["README.md", ...paths].map((path) => ({ path, text: readFileSync(join(workspace, path), "utf8") }));
}
