import { posix } from "node:path";

/** Pages that lie beside their package, and where the site has them. All paths are relative to `packages/`. */
const BESIDE_PACKAGES: readonly (readonly [pattern: RegExp, on: string])[] = [
  [/^docs\/(.+)$/, "$1"],
  [/^compiler\/ERRORS\.md$/, "errors/index.md"],
  [/^compiler\/errors\/(.+)$/, "errors/$1"],
  [/^(?:runtime|cli)\/(?!README|CHANGELOG)([A-Z]+)\.md$/, "reference/$1.md"],
];

/**
 * Where the site has a page.
 *
 * @param path relative to `packages/`
 * @returns undefined for what the site does not have
 * @example
 * sitePath("runtime/LIMITS.md") // "reference/limits.md"
 */
export function sitePath(path: string): string | undefined {
  for (const [pattern, on] of BESIDE_PACKAGES) {
    if (pattern.test(path)) return path.replace(pattern, on).toLowerCase();
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
