import { resolve } from "node:path";
import { MANIFEST_VERSION, type Manifest } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { readJsonFile } from "../files/json-file.js";

/**
 * Reads the manifest of an earlier build.
 *
 * @throws Failure if the file is not a manifest
 */
export function readManifest(path: string, cwd: string): Manifest {
  let value: Partial<Manifest> | undefined;
  try {
    value = readJsonFile(resolve(cwd, path)) as Partial<Manifest>;
  } catch (cause) {
    const { message } = cause as Error;
    throw new Failure(`\`${path}\` cannot be read as a manifest: ${message}.`, {
      hint: HINT,
      exitCode: 2,
      cause,
    });
  }
  if (value?.manifestVersion !== MANIFEST_VERSION || !Array.isArray(value.tools))
    throw new Failure(`\`${path}\` is not a manifest of this version of Tenon.`, { hint: HINT, exitCode: 2 });
  return value as Manifest;
}

const HINT = "Name a manifest that `tenon build` wrote, such as dist/tenon.manifest.json.";
