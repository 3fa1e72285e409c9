import { resolve } from "node:path";
import { MANIFEST_VERSION, type Manifest } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { readJsonFile } from "../files/json-file.js";

/**
 * The manifest of an earlier build.
 *
 * @throws Failure when there is none at the path
 */
export function readManifest(path: string, cwd: string): Manifest {
  let value: Partial<Manifest> | undefined;
  try {
    value = readJsonFile(resolve(cwd, path)) as Partial<Manifest>;
  } catch (cause) {
    throw new Failure(`\`${path}\` cannot be read as a manifest.`, { hint: HINT, exitCode: 2, cause });
  }
  if (value?.manifestVersion !== MANIFEST_VERSION || !Array.isArray(value.tools))
    throw new Failure(`\`${path}\` is not a manifest of this version of Tenon.`, { hint: HINT, exitCode: 2 });
  return value as Manifest;
}

const HINT = "`tenon build` writes one into the output folder: dist/tenon.manifest.json.";
