import { join } from "node:path";
import { Failure } from "../terminal/failure.js";
import { readJsonFile } from "../files/json-file.js";

/**
 * The name of a project's server for clients, most of which take letters, digits, hyphens and underscores alone.
 *
 * @throws Failure when there is no project
 * @example
 * serverName("/home/ada/weather") // of "@ada/weather": "ada-weather"
 */
export function serverName(root: string): string {
  const named = nameIn(join(root, "dist", "tenon.manifest.json")) ?? nameIn(join(root, "package.json"));
  if (named === undefined) {
    throw new Failure(`There is no project in ${root}: it has no package.json with a name.`, {
      hint: "Go to the project's folder, or name it.",
    });
  }
  return clientsName(named);
}

/**
 * A server's own name as clients take it: letters, digits, hyphens and underscores.
 *
 * @throws Failure when none of it is left
 */
export function clientsName(name: string): string {
  const taken = name.replace(/^@/, "").replaceAll(/[^\w-]+/g, "-");
  if (/\w/.test(taken)) return taken;
  throw new Failure("The server's name has no letter or digit that all clients take.", {
    hint: "Choose a name for it by --name.",
  });
}

function nameIn(file: string): string | undefined {
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
