import validate from "validate-npm-package-name";

/**
 * The nearest valid name of an npm package.
 *
 * @example
 * toPackageName("My Server!") // "my-server"
 */
export function toPackageName(text: string): string {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[._-]+|[-]+$/g, "")
    .slice(0, 214);
  return validate(name).validForNewPackages ? name : "mcp-server";
}

/**
 * Why npm would refuse the name, if it would.
 *
 * @example
 * packageNameProblem("Weather") // "name can no longer contain capital letters"
 */
export function packageNameProblem(name: string): string | undefined {
  const result = validate(name);
  return result.validForNewPackages ? undefined : [...(result.errors ?? []), ...(result.warnings ?? [])][0];
}
