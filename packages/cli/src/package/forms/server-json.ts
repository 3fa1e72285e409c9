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

/** A server.json that was brought up to date. */
export interface MergedServerJson {
  readonly merged: ServerJson;
  /** What it names that was not made now, and may be of an older version. */
  readonly stale: readonly string[];
  /** The variables that no source reads. A package may, or the server did once. */
  readonly unread: readonly string[];
}

/**
 * A new version of a server.json: what its author has written stays, and what follows from the version and the sources is
 * new.
 */
export function mergeServerJson(before: ServerJson | undefined, fresh: ServerJson): MergedServerJson {
  if (before === undefined) return { merged: fresh, stale: [], unread: [] };
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
  const unread = packages.flatMap((each) => unreadIn(each, known));
  return { merged, stale: others.map(({ identifier }) => identifier), unread: [...new Set(unread)] };
}

function mergePackage(fresh: RegistryPackage, known: readonly RegistryPackage[]): RegistryPackage {
  const before = sameKind(fresh, known);
  if (before === undefined) return fresh;
  const { identifier, version, fileSha256, environmentVariables = [] } = fresh;
  const written = before.environmentVariables ?? [];
  const variables = [
    ...environmentVariables.map((each) =>
      mergeVariable(
        each,
        written.find(({ name }) => name === each.name),
      ),
    ),
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

/** Whether it is needed, and what it means when it is not given, is for the sources to say; all else stays as it is. */
function mergeVariable(fresh: RegistryVariable, before: RegistryVariable | undefined): RegistryVariable {
  if (before === undefined) return fresh;
  const { isRequired, ...others } = before;
  return {
    ...fresh,
    ...others,
    ...(fresh["default"] !== undefined && { default: fresh["default"] }),
    // Written by a person: only what is true is written here.
    ...(isRequired === false && { isRequired }),
  };
}

function unreadIn(fresh: RegistryPackage, known: readonly RegistryPackage[]): readonly string[] {
  const read = new Set(fresh.environmentVariables?.map(({ name }) => name));
  const written = sameKind(fresh, known)?.environmentVariables ?? [];
  return written.map(({ name }) => name).filter((name) => !read.has(name));
}

function sameKind(
  { registryType }: RegistryPackage,
  known: readonly RegistryPackage[],
): RegistryPackage | undefined {
  return known.find((each) => each.registryType === registryType);
}
