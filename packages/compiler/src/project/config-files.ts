import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { ts } from "./typescript.js";

/**
 * The files that a project's tsconfig.json is made of: itself, what it extends, one after the other, also by the name of a
 * package, and the same of those that it references. One that is missing is among them: it may come.
 *
 * @param root the project folder
 * @returns absolute paths with forward slashes; none without a tsconfig.json
 */
export function configFiles(root: string): string[] {
  const path = `${root.replaceAll("\\", "/")}/tsconfig.json`;
  const found = new Set<string>();
  if (existsSync(path)) collect(path, found);
  return [...found];
}

function collect(path: string, found: Set<string>): void {
  if (found.has(path)) return;
  found.add(path);
  const note = (file: string): void => {
    if (!file.endsWith("/package.json")) found.add(file);
  };
  const host: ts.ParseConfigHost = {
    ...ts.sys,
    readDirectory: () => [],
    readFile(file) {
      note(file);
      return ts.sys.readFile(file);
    },
    fileExists(file) {
      // Of packages, TypeScript asks for many files that may not come.
      if (!file.includes("/node_modules/")) note(file);
      return ts.sys.fileExists(file);
    },
  };
  const { config } = ts.readConfigFile(path, (file) => ts.sys.readFile(file)) as { config?: object };
  const parsed = ts.parseJsonConfigFileContent(config ?? {}, host, dirname(path), undefined, path);
  for (const each of parsed.projectReferences ?? []) collect(ts.resolveProjectReferencePath(each), found);
}
