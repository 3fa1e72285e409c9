import { join } from "node:path";
import { toClientName } from "@tenon/runtime/clients";
import { Failure } from "../terminal/failure.js";
import { readJsonFile } from "../files/json-file.js";

/**
 * Reads the name of a project's server and converts it to one that all clients accept.
 *
 * @throws Failure if the folder is not a project
 * @example
 * readServerName("/home/ada/weather") // "ada-weather", if package.json has the name "@ada/weather"
 */
export function readServerName(root: string): string {
  const named = readName(join(root, "dist", "tenon.manifest.json")) ?? readName(join(root, "package.json"));
  if (named === undefined) {
    throw new Failure(`${root} is not a project: it has no package.json with a name.`, {
      hint: "Run the command in the project folder, or pass the folder after the name of the client.",
    });
  }
  return requireClientName(named);
}

/**
 * Converts the name of a server to letters, digits, hyphens, and underscores.
 *
 * @throws Failure if nothing is left
 */
export function requireClientName(name: string): string {
  const accepted = toClientName(name);
  if (accepted !== undefined) return accepted;
  throw new Failure("The server's name contains no ASCII letters or digits, which clients require.", {
    hint: "Choose a name with --name.",
  });
}

/**
 * Checks the name of an entry.
 *
 * @throws Failure (exit code 2) for a name that some clients reject
 */
export function checkClientName(name: string): void {
  if (/^[\w-]+$/.test(name)) return;
  throw new Failure(`Some clients reject the name \`${name}\`.`, {
    hint: "Use letters, digits, hyphens, and underscores in --name.",
    exitCode: 2,
  });
}

function readName(file: string): string | undefined {
  try {
    const { name, server } = readJsonFile(file) as {
      name?: string;
      server?: { name?: string };
    };
    return server?.name ?? name;
  } catch {
    return undefined;
  }
}
