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
    .replace(/[^a-z0-9._~-]+/g, "-")
    .replace(/^[._-]+|[-]+$/g, "");
  return name || "mcp-server";
}

/** Why npm would refuse the name, if it would. */
export function packageNameProblem(name: string): string | undefined {
  const plain = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
  if (name.length > 214) return "A package name has at most 214 characters.";
  if (!plain.test(name)) return `A package name is lower case, such as ${toPackageName(name)}.`;
  if (name === "node_modules" || name === "favicon.ico") return `npm reserves the name ${name}.`;
  return undefined;
}
