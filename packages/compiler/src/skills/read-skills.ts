import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type { Report } from "../diagnostics/diagnostic.js";
import { ts } from "../typescript/typescript.js";
import { readFrontmatter } from "./frontmatter.js";
import { findSkillFolders, type FoundFile, isInside, listFiles, reportUnserved } from "./list-files.js";
import { type Skill, SKILL_FILE, SKILLS_FOLDER, type SkillContext, type SkillFile } from "./skill.js";

/** Limits of the specification for one skill. */
const MAX_FILES = 512;
const MAX_BYTES = 16_777_216;

/**
 * Reads the skills of a project: the folders in `skills/` that contain a SKILL.md. A skill with an error has a diagnostic, and
 * is not served.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export function readSkills({ project: { root }, collector }: SkillContext): Skill[] {
  let folders: string[] = [];
  const rejected = new Set<string>();
  const waiting: (() => void)[] = [];
  /**
   * Returns a function that reports a problem of the skills that contain a path. Their folders are known only after all
   * files are listed.
   */
  const getReport =
    (path: string): Report =>
    (...diagnostic) => {
      waiting.push(() => {
        const skills = folders.filter((each) => isInside(path, each));
        if (diagnostic[0] !== "skill-file-unserved") for (const each of skills) rejected.add(each);
        collector.createReport(undefined, skills[0])(...diagnostic);
      });
    };
  const files = listFiles(root, getReport);
  folders = findSkillFolders(files);
  reportUnserved(files, folders, getReport);
  for (const report of waiting) report();

  const read = new Map<string, SkillFile>();
  const skills = folders.flatMap((path): Skill | [] => {
    const report: Report = (...diagnostic) => {
      collector.createReport(undefined, path)(...diagnostic);
    };
    const inside = files.filter((each) => isInside(each.path, path));
    if (isTooLarge(path, inside, report) || rejected.has(path)) return [];
    for (const each of inside) if (!read.has(each.path)) read.set(each.path, readFile(root, each));
    const own = inside.flatMap((each) => read.get(each.path) ?? []);
    const text = readSkillText(root, path, own, report);
    const frontmatter = text && readFrontmatter(text, posix.basename(path), root, report);
    return frontmatter ? { path, frontmatter, files: own } : [];
  });
  reportRepeatedNames(skills, collector.createReport());
  return skills;
}

function isTooLarge(path: string, files: readonly FoundFile[], report: Report): boolean {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const exceedsLimit = files.length > MAX_FILES || bytes > MAX_BYTES;
  if (exceedsLimit)
    report("skill-too-large", undefined, {
      path: `${SKILLS_FOLDER}/${path}`,
      files: files.length,
      megabytes: Math.ceil(bytes / 1_048_576),
      maxFiles: MAX_FILES,
      maxMegabytes: MAX_BYTES / 1_048_576,
    });
  return exceedsLimit;
}

function readFile(root: string, { path }: FoundFile): SkillFile {
  return { path, bytes: readFileSync(posix.join(root, SKILLS_FOLDER, path)) };
}

/** Control characters, which some servers remove and which change how text is displayed. Tabs and line breaks are allowed. */
// oxlint-disable-next-line no-control-regex -- it matches control characters
const CONTROL_CHARACTER = /(?!\r\n)[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/;

function readSkillText(
  root: string,
  path: string,
  files: readonly SkillFile[],
  report: Report,
): { file: string; text: string } | undefined {
  const file = `${SKILLS_FOLDER}/${path}/${SKILL_FILE}`;
  const content = files.find((each) => each.path === `${path}/${SKILL_FILE}`);
  const text = content && decodeText(content.bytes);
  if (text === undefined) {
    report("skill-file-invalid", undefined, { path: file, reason: "not-text" });
    return undefined;
  }
  const found = CONTROL_CHARACTER.exec(text);
  if (found === null) return { file, text };
  const source = ts.createSourceMapSource(`${root}/${file}`, text);
  report(
    "skill-file-invalid",
    { file: source, start: found.index, end: found.index + 1 },
    { path: file, reason: "control-character", other: toCodePoint(found[0]) },
  );
  return undefined;
}

function toCodePoint(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Returns bytes as text if they are UTF-8. A byte order mark stays, because clients compare the bytes. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reports skills with the same name, because clients show skills by name. */
function reportRepeatedNames(skills: readonly Skill[], report: Report): void {
  const seen = new Map<string, string>();
  for (const { path, frontmatter } of skills) {
    const other = seen.get(frontmatter.name);
    if (other !== undefined)
      report("skill-name-repeated", undefined, { name: frontmatter.name, paths: [other, path] });
    else seen.set(frontmatter.name, path);
  }
}
