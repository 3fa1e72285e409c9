import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile } from "../../files/json-file.js";
import { Failure } from "../../terminal/failure.js";

/** The parts of server.json that Tenon writes. */
export interface ServerJson {
  readonly $schema: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly packages?: readonly RegistryPackage[];
  readonly remotes?: readonly object[];
  readonly [member: string]: unknown;
}

/** A package in server.json. */
export interface RegistryPackage {
  readonly registryType: string;
  readonly identifier: string;
  readonly version?: string;
  readonly fileSha256?: string;
  readonly environmentVariables?: readonly RegistryVariable[];
  readonly [member: string]: unknown;
}

/** An environment variable in server.json. */
export interface RegistryVariable {
  readonly name: string;
  readonly [member: string]: unknown;
}

/**
 * Reads the server.json of a project, or returns undefined if there is none.
 *
 * @throws Failure if it is not JSON
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

/** An updated server.json. */
export interface MergedServerJson {
  readonly merged: ServerJson;
  /** The packages in it that this run did not package. Their version may be older. */
  readonly stale: readonly string[];
  /** The variables in it that the sources do not read. A package may read them. */
  readonly unread: readonly string[];
}

/**
 * Updates a server.json: the author's content stays, except for parts that follow from the version and the sources.
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
  const unread = packages.flatMap((each) => findUnread(each, known));
  return { merged, stale: others.map(({ identifier }) => identifier), unread: [...new Set(unread)] };
}

function mergePackage(fresh: RegistryPackage, known: readonly RegistryPackage[]): RegistryPackage {
  const before = findSameKind(fresh, known);
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

/** Updates what the sources determine: whether a variable is required, and its default. The rest stays. */
function mergeVariable(fresh: RegistryVariable, before: RegistryVariable | undefined): RegistryVariable {
  if (before === undefined) return fresh;
  const { isRequired, ...others } = before;
  return {
    ...fresh,
    ...others,
    ...(fresh["default"] !== undefined && { default: fresh["default"] }),
    // Tenon never writes false, so the author did.
    ...(isRequired === false && { isRequired }),
  };
}

function findUnread(fresh: RegistryPackage, known: readonly RegistryPackage[]): readonly string[] {
  const read = new Set(fresh.environmentVariables?.map(({ name }) => name));
  const written = findSameKind(fresh, known)?.environmentVariables ?? [];
  return written.map(({ name }) => name).filter((name) => !read.has(name));
}

function findSameKind(
  { registryType }: RegistryPackage,
  known: readonly RegistryPackage[],
): RegistryPackage | undefined {
  return known.find((each) => each.registryType === registryType);
}
