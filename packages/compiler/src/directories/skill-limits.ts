import type { Manifest } from "@tenon/runtime/manifest";

/** A limit that one skill exceeds, or that all skills exceed together. */
export interface SkillProblem {
  /** The path of the skill. Absent if the problem concerns all skills. */
  skill?: string;
  subject: string;
  /** The predicate of the subject, such as "has 120 files". */
  amount: string;
  limit: string;
}

/** Limits of what ChatGPT imports. */
const MAX_SKILLS = 5;
const MAX_FILES = 100;
const MAX_SKILL_FILE_BYTES = 262_144;
const MAX_FILE_BYTES = 1_048_576;
const MAX_SKILL_BYTES = 5_242_880;

/**
 * Finds the skills that ChatGPT does not import, because of their number or sizes.
 *
 * @see https://developers.openai.com/plugins/reference
 */
export function findSkillProblems({ skills = [] }: Manifest): SkillProblem[] {
  const tooMany =
    skills.length > MAX_SKILLS
      ? [{ subject: "The server", amount: `has ${skills.length} skills`, limit: String(MAX_SKILLS) }]
      : [];
  return [
    ...tooMany,
    ...skills.flatMap(({ path: skill, definition: { uri, resources } }): SkillProblem[] => {
      // The files of generated skills have no sizes.
      if (resources === "dynamic") return [];
      const subject = `The skill \`skills/${skill}\``;
      const bytes = resources.reduce((sum, { size }) => sum + size, 0);
      const large = resources.filter(
        (each) => each.size > (each.uri === uri ? MAX_SKILL_FILE_BYTES : MAX_FILE_BYTES),
      );
      return [
        ...(resources.length > MAX_FILES
          ? [{ skill, subject, amount: `has ${resources.length} files`, limit: `${MAX_FILES} files` }]
          : []),
        ...(bytes > MAX_SKILL_BYTES
          ? [
              {
                skill,
                subject,
                amount: `is ${formatKilobytes(bytes)} in size`,
                limit: formatKilobytes(MAX_SKILL_BYTES),
              },
            ]
          : []),
        ...large.map((each) => ({
          skill,
          subject: `The file \`${decodeURIComponent(each.uri.replace("skill://", "skills/"))}\``,
          amount: `is ${formatKilobytes(each.size)} in size`,
          limit: formatKilobytes(each.uri === uri ? MAX_SKILL_FILE_BYTES : MAX_FILE_BYTES),
        })),
      ];
    }),
  ];
}

function formatKilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
