import { basename, join } from "node:path";
import type { Implementation } from "@tenon/runtime/manifest";
import { readJsonFile } from "../files/json-file.js";

/** Reads the name and version of a project. Returns defaults if `package.json` has none, which the compiler reports. */
export function readProjectInfo(root: string): Implementation {
  const { name, version } = readPackage(root);
  const isNamed = typeof name === "string" && name !== "";
  return {
    name: isNamed ? name : basename(root),
    version: isNamed && typeof version === "string" ? version : "0.0.0",
  };
}

function readPackage(root: string): { name?: unknown; version?: unknown } {
  try {
    return Object(readJsonFile(join(root, "package.json"))) as object;
  } catch {
    return {};
  }
}
