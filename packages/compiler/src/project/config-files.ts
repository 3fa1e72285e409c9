import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { ts } from "../typescript/typescript.js";

/**
 * Returns the files that determine a project's options: its tsconfig.json, the files that it extends by path or package,
 * and those of the projects that it references. Missing files are included, because they may be created.
 *
 * @param root the project folder
 * @returns absolute paths with forward slashes; none without a tsconfig.json
 */
export function findConfigFiles(root: string): string[] {
  const path = `${root.replaceAll("\\", "/")}/tsconfig.json`;
  const found = new Set<string>();
  if (existsSync(path)) collect(path, found);
  return [...found];
}

function collect(path: string, found: Set<string>): void {
  if (found.has(path)) return;
  found.add(path);
  const record = (file: string): void => {
    if (!file.endsWith("/package.json")) found.add(file);
  };
  const host: ts.ParseConfigHost = {
    ...ts.sys,
    readDirectory: () => [],
    readFile(file) {
      record(file);
      return ts.sys.readFile(file);
    },
    fileExists(file) {
      // In packages, TypeScript looks for many files that will never exist.
      if (!file.includes("/node_modules/")) record(file);
      return ts.sys.fileExists(file);
    },
  };
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config?: object };
  const parsed = ts.parseJsonConfigFileContent(config ?? {}, host, dirname(path), undefined, path);
  for (const each of parsed.projectReferences ?? []) collect(ts.resolveProjectReferencePath(each), found);
}
