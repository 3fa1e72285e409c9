import type { SkillEntry } from "@tenon/runtime/manifest";
import type { Project } from "../project/project.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";

/** The parts of a compilation that are needed to read skills. */
export interface SkillContext {
  project: Project;
  collector: DiagnosticCollector;
}

/** A file of a skill. */
export interface SkillFile {
  /** Relative to `skills/`, with forward slashes. */
  path: string;
  bytes: Uint8Array;
}

/** A file that is text. */
export interface SkillText {
  /** Relative to the project folder, with forward slashes. */
  file: string;
  text: string;
}

/** A skill: a folder with a SKILL.md. */
export interface Skill {
  /** The path of its folder in `skills/`, with forward slashes. */
  path: string;
  frontmatter: SkillEntry["definition"]["frontmatter"];
  /** All files in its folder, including those of skills inside it, sorted by path. */
  files: readonly SkillFile[];
}

/** The content of the modules that a build writes for the files of skills, by hash. */
export type SkillContents = ReadonlyMap<string, Uint8Array>;

/** The name of the file that makes a folder a skill. */
export const SKILL_FILE = "SKILL.md";

/** The folder of skills in a project. */
export const SKILLS_FOLDER = "skills";
