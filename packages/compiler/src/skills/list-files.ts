import { readdirSync, realpathSync, statSync } from "node:fs";
import { posix } from "node:path";
import type { Report } from "../diagnostics/diagnostic.js";
import { SKILL_FILE, SKILLS_FOLDER } from "./skill.js";

/** A file in the folder of skills. */
export interface FoundFile {
  /** Relative to the folder of skills, with forward slashes. */
  path: string;
  /** In bytes. */
  size: number;
}

/** Files that operating systems and editors create, and that are not meant to be published. */
const SYSTEM_FILE =
  /^(?:\.DS_Store|\._.*|Thumbs\.db|desktop\.ini|\.git(?:keep|ignore|attributes)|.*\.sw[op]|.*~)$/;

/** Matches what the name of a file cannot contain on Windows, and what is not UTF-8 on disk. */
const UNSTORABLE = /[\\<>:"|?*\p{Cc}\uFFFD]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/iu;

function describePart(part: string): string {
  if (part === "\uFFFD") return "bytes in its name that are not UTF-8";
  const code = part.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const shown = /\p{Cc}/u.test(part) ? `U+${code}` : `\`${part}\``;
  return /^[. ]$/.test(part) ? `${shown} at the end of its name` : `${shown} in its name`;
}

/**
 * Lists the files in the folder of skills, sorted by path. Reports those that cannot be served: links that leave the folder,
 * hidden files, names that Windows does not allow, and names that differ only in case.
 *
 * @param root the absolute path of the project folder
 * @param getReport returns the function that reports diagnostics about a path, relative to the folder of skills
 */
export function listFiles(root: string, getReport: (path: string) => Report): FoundFile[] {
  const folder = posix.join(root, SKILLS_FOLDER);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const realFolder = realpathSync(folder).replaceAll("\\", "/");
  const files: FoundFile[] = [];
  const visit = (path: string, parents: readonly string[]): void => {
    const names = readdirSync(posix.join(folder, path)).sort();
    reportCaseConflicts(names, path, getReport);
    for (const name of names) {
      const child = posix.join(path, name);
      const shown = `${SKILLS_FOLDER}/${child}`;
      if (SYSTEM_FILE.test(name)) continue;
      if (name.startsWith(".")) {
        getReport(child)("skill-file-unserved", undefined, { path: shown, reason: "hidden" });
        continue;
      }
      const [unstorable] = UNSTORABLE.exec(name) ?? [];
      if (unstorable !== undefined) {
        const other = describePart(unstorable);
        getReport(child)("skill-file-invalid", undefined, { path: shown, reason: "name", other });
        continue;
      }
      const real = findRealPath(posix.join(folder, child));
      const found = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
      if (real === undefined || found === undefined)
        getReport(child)("skill-file-invalid", undefined, { path: shown, reason: "link-broken" });
      else if (parents.includes(real))
        getReport(child)("skill-file-invalid", undefined, { path: shown, reason: "link-circular" });
      else if (!real.startsWith(`${realFolder}/`))
        getReport(child)("skill-file-invalid", undefined, { path: shown, reason: "link-outside" });
      else if (found.isDirectory()) visit(child, [...parents, real]);
      else if (found.isFile()) files.push({ path: child, size: found.size });
      else getReport(child)("skill-file-invalid", undefined, { path: shown, reason: "not-a-file" });
    }
  };
  visit("", [realFolder]);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function findRealPath(path: string): string | undefined {
  try {
    return realpathSync(path).replaceAll("\\", "/");
  } catch {
    return undefined;
  }
}

/** Reports names that differ only in case: clients on Windows and macOS can store only one of the files. */
function reportCaseConflicts(
  names: readonly string[],
  folder: string,
  getReport: (path: string) => Report,
): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const key = name.normalize("NFC").toLowerCase();
    const other = seen.get(key);
    const path = posix.join(folder, name);
    if (other !== undefined)
      getReport(path)("skill-file-invalid", undefined, {
        path: `${SKILLS_FOLDER}/${path}`,
        reason: "case",
        other,
      });
    seen.set(key, name);
  }
}

/** Returns the folders that are skills, sorted by path. */
export function findSkillFolders(files: readonly FoundFile[]): string[] {
  return files
    .filter(({ path }) => posix.basename(path) === SKILL_FILE && path.includes("/"))
    .map(({ path }) => posix.dirname(path))
    .sort();
}

/** Returns whether a path is inside a folder. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Reports the files that belong to no skill: each one directly in `skills/`, and others once for each folder. */
export function reportUnserved(
  files: readonly FoundFile[],
  skills: readonly string[],
  getReport: (path: string) => Report,
): void {
  const folders = new Set<string>();
  for (const { path } of files) {
    if (skills.some((skill) => isInside(path, skill)) || /^readme(?:\.\w+)?$/i.test(posix.basename(path)))
      continue;
    const misspelled = /^skill\.(?:md|markdown)$/i.test(posix.basename(path)) && path.includes("/");
    const folder = posix.dirname(path);
    const isAtRoot = folder === ".";
    if (folders.has(folder) && !misspelled && !isAtRoot) continue;
    folders.add(folder);
    getReport(path)("skill-file-unserved", undefined, {
      path: `${SKILLS_FOLDER}/${isAtRoot || misspelled ? path : folder}`,
      reason: misspelled ? "misspelled" : isAtRoot ? "at-root" : "no-skill",
    });
  }
}
