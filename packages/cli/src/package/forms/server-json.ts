import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile } from "../../files/json-file.js";
import { Failure } from "../../terminal/failure.js";

/** What the MCP registry knows of a server, so far as it is written here. */
export interface ServerJson {
  readonly $schema: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly packages?: readonly RegistryPackage[];
  readonly remotes?: readonly object[];
  readonly [member: string]: unknown;
}

export interface RegistryPackage {
  readonly registryType: string;
  readonly identifier: string;
  readonly version?: string;
  readonly environmentVariables?: readonly RegistryVariable[];
  readonly [member: string]: unknown;
}

export interface RegistryVariable {
  readonly name: string;
  readonly [member: string]: unknown;
}

/**
 * The server.json of a project; undefined where there is none.
 *
 * @throws Failure when it is not JSON
 */
export function readServerJson(root: string): ServerJson | undefined {
  const file = join(root, "server.json");
  if (!existsSync(file)) return undefined;
  try {
    return readJsonFile(file) as ServerJson;
  } catch (error) {
    throw new Failure(`server.json cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * A new version of a server.json: what its author has written stays, and what follows from the version is new.
 *
 * @returns also what it names that was not made now, and may be of an older version
 */
export function mergeServerJson(
  before: ServerJson | undefined,
  fresh: ServerJson,
): { merged: ServerJson; stale: string[] } {
  if (before === undefined) return { merged: fresh, stale: [] };
  const { $schema, version, packages = [], remotes = before.remotes } = fresh;
  const known = before.packages ?? [];
  const others = known.filter(
    ({ registryType }) => !packages.some((each) => each.registryType === registryType),
  );
  const all = [...packages.map((each) => mergePackage(each, known)), ...others];
  const merged = {
    ...fresh,
    ...before,
    $schema,
    version,
    ...(all.length > 0 && { packages: all }),
    ...(remotes !== undefined && { remotes }),
  };
  return { merged, stale: others.map(({ identifier }) => identifier) };
}

function mergePackage(fresh: RegistryPackage, known: readonly RegistryPackage[]): RegistryPackage {
  const before = known.find(({ registryType }) => registryType === fresh.registryType);
  if (before === undefined) return fresh;
  const { identifier, version, fileSha256, environmentVariables = [] } = fresh;
  const written = before.environmentVariables ?? [];
  const variables = [
    ...environmentVariables.map((each) => ({ ...each, ...written.find(({ name }) => name === each.name) })),
    ...written.filter(({ name }) => !environmentVariables.some((each) => each.name === name)),
  ];
  return {
    ...fresh,
    ...before,
    identifier,
    ...(version !== undefined && { version }),
    ...(fileSha256 !== undefined && { fileSha256 }),
    ...(variables.length > 0 && { environmentVariables: variables }),
  };
}
