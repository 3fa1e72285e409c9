import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readCompilerOptions } from "./tsconfig.js";

/**
 * Returns the files that an import may name through `paths` or `baseUrl`, as absolute paths, before file extensions are
 * resolved. Empty if no alias matches.
 */
export type FindAliasTargets = (specifier: string) => readonly string[];

/**
 * Reads the aliases of a project's tsconfig.json.
 *
 * @param root the project folder
 * @see https://www.typescriptlang.org/tsconfig/#paths
 * @example
 * // With `"paths": { "@lib/*": ["./src/lib/*"] }` in /work/tsconfig.json:
 * readPathAliases("/work")("@lib/units.js") // ["/work/src/lib/units.js"]
 */
export function readPathAliases(root: string): FindAliasTargets {
  const path = `${root}/tsconfig.json`;
  if (!existsSync(path)) return () => [];
  const options = readCompilerOptions(path);
  const { paths = {}, baseUrl } = options;
  // TypeScript sets this to the folder of the configuration that contains `paths`, which another one may extend.
  const base = baseUrl ?? (options["pathsBasePath"] as string | undefined) ?? root;
  const patterns = Object.keys(paths).toSorted((a, b) => rank(b) - rank(a));
  return (specifier) => {
    const found = patterns.find((pattern) => matchPattern(pattern, specifier) !== undefined);
    const targets = found === undefined ? [] : (paths[found] ?? []);
    const matched = found === undefined ? "" : (matchPattern(found, specifier) ?? "");
    return [
      ...targets.map((target) =>
        resolve(
          base,
          target.replace("*", () => matched),
        ),
      ),
      ...(baseUrl === undefined ? [] : [resolve(baseUrl, specifier)]),
    ];
  };
}

/** Ranks patterns as TypeScript does: exact names first, then those with the longest text before `*`. */
function rank(pattern: string): number {
  const star = pattern.indexOf("*");
  return star === -1 ? Infinity : star;
}

/** Returns the text that `*` matches, which is empty for an exact name; undefined if the pattern does not match. */
function matchPattern(pattern: string, specifier: string): string | undefined {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === specifier ? "" : undefined;
  const [prefix, suffix] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const matches =
    specifier.startsWith(prefix) &&
    specifier.endsWith(suffix) &&
    specifier.length >= prefix.length + suffix.length;
  return matches ? specifier.slice(prefix.length, specifier.length - suffix.length) : undefined;
}
