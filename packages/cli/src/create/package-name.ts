import validate from "validate-npm-package-name";

/**
 * Converts a string to a valid name of an npm package.
 *
 * @example
 * toPackageName("My Sérver!") // "my-server"
 */
export function toPackageName(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .replace(/\s+/g, "-")
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|[-]+$/g, "")
    .slice(0, 214);
  return validate(name).validForNewPackages ? name : "mcp-server";
}

/**
 * Returns why npm rejects a package name, or undefined if it is valid.
 *
 * @example
 * findPackageNameProblem("Weather") // "name can no longer contain capital letters"
 */
export function findPackageNameProblem(name: string): string | undefined {
  const result = validate(name);
  return result.validForNewPackages ? undefined : [...(result.errors ?? []), ...(result.warnings ?? [])][0];
}
