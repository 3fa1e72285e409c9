import { posix } from "node:path";

/** The paths on the site of the pages in each folder. All patterns are relative to `packages/`. */
const SITE_PATHS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^docs\/(.+)$/, "$1"],
  [/^compiler\/ERRORS\.md$/, "errors/index.md"],
  [/^compiler\/errors\/(.+)$/, "errors/$1"],
];

/**
 * Returns the path of a page on the site.
 *
 * @param path the path of the file, relative to `packages/`
 * @returns the path, or undefined for a page that is not on the site
 * @example
 * sitePath("docs/reference/limits.md") // "reference/limits.md"
 */
export function sitePath(path: string): string | undefined {
  for (const [pattern, replacement] of SITE_PATHS) {
    if (pattern.test(path)) return path.replace(pattern, replacement);
  }
  return undefined;
}

/**
 * Converts a link in a page to a link on the site. Links are written for the repository: relative, to files.
 *
 * @param href the link as written
 * @param path the path of the page that contains it, relative to `packages/`
 */
export function siteLink(href: string, path: string): string {
  const [file = "", anchor] = href.split("#", 2);
  if (file === "" || /^[a-z]+:/i.test(file)) return href;
  const target = sitePath(posix.join(posix.dirname(path), file));
  if (target === undefined) return href;
  const page = `/${target.replace(/(?:index)?\.md$/, "")}`;
  return anchor === undefined ? page : `${page}#${anchor}`;
}
