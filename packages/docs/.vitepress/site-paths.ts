import { posix } from "node:path";

/** Where the site has the pages of a folder. All paths are relative to `packages/`. */
const SITE_PATHS: readonly (readonly [pattern: RegExp, on: string])[] = [
  [/^docs\/(.+)$/, "$1"],
  [/^compiler\/ERRORS\.md$/, "errors/index.md"],
  [/^compiler\/errors\/(.+)$/, "errors/$1"],
];

/**
 * Returns where the site has a page.
 *
 * @param path relative to `packages/`
 * @returns undefined for a page that is not on the site
 * @example
 * sitePath("docs/reference/limits.md") // "reference/limits.md"
 */
export function sitePath(path: string): string | undefined {
  for (const [pattern, on] of SITE_PATHS) {
    if (pattern.test(path)) return path.replace(pattern, on);
  }
  return undefined;
}

/**
 * A link of a page as the site has it. Links are written for the repository: relative, to files.
 *
 * @param href as it is written
 * @param path of the page that has it, relative to `packages/`
 */
export function siteLink(href: string, path: string): string {
  const [file = "", anchor] = href.split("#", 2);
  if (file === "" || /^[a-z]+:/i.test(file)) return href;
  const target = sitePath(posix.join(posix.dirname(path), file));
  if (target === undefined) return href;
  const page = `/${target.replace(/(?:index)?\.md$/, "")}`;
  return anchor === undefined ? page : `${page}#${anchor}`;
}
