import type { Skill, SkillEntry } from "@tenon/runtime/manifest";
import { formatList } from "../terminal/text-format.js";
import { breaking, type ContractChange, safe } from "./effects.js";
import { pairByName } from "./pair-by-name.js";

/** A change of a skill. */
export interface SkillChange extends ContractChange {
  readonly kind: "skill";
  /** The path of its folder in `skills/`. */
  readonly name: string;
}

/** The maximum number of files that a message names. */
const MAX_FILES = 3;

/**
 * Compares the skills of two servers. Clients load a skill by its URI, and ask the user again to approve one whose files
 * changed. `comparePermissions` compares who sees a skill.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export function compareSkills(
  before: readonly SkillEntry[] = [],
  after: readonly SkillEntry[] = [],
): SkillChange[] {
  return pairByName(before, after, ({ path }) => path).flatMap(({ name, before, after }) =>
    compareSkill(before, after).map((each) => ({ ...each, kind: "skill", name }) as const),
  );
}

function compareSkill(before: SkillEntry | undefined, after: SkillEntry | undefined): ContractChange[] {
  if (!after) return [breaking("was removed: clients that use it cannot load it again")];
  if (!before) return [safe("is new")];
  const [was, is] = [before.definition, after.definition];
  const [granted, grants] = [was, is].map(({ frontmatter }) => frontmatter["allowed-tools"] ?? "none");
  const files = findChangedFiles(was, is);
  return [
    ...compareGeneration(was, is),
    ...(granted === grants
      ? []
      : [permission(`asks clients to allow ${String(grants)} (before: ${String(granted)})`)]),
    ...(was.frontmatter.description === is.frontmatter.description
      ? []
      : [wording("has a different description, by which models choose it")]),
    ...(files.length > 0
      ? [wording(`has different files, which users must approve again: ${formatFiles(files)}`)]
      : []),
  ];
}

function permission(message: string): ContractChange {
  return { effect: "permission", message };
}

function wording(message: string): ContractChange {
  return { effect: "wording", message };
}

/** Reports that a skill is generated now, or no longer. */
function compareGeneration(was: Skill, is: Skill): ContractChange[] {
  const [wasGenerated, isGenerated] = [was, is].map(({ resources }) => resources === "dynamic");
  if (wasGenerated === isGenerated) return [];
  return isGenerated
    ? [breaking("is now generated: clients cannot verify its files, and some do not load it")]
    : [safe("is no longer generated, so clients can verify its files")];
}

/** Returns the files that are new, gone, or different, relative to the folder of the skill. None if they are generated. */
function findChangedFiles({ uri, resources: was }: Skill, { resources: is }: Skill): string[] {
  if (was === "dynamic" || is === "dynamic") return [];
  const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
  const toDigests = (files: Exclude<Skill["resources"], "dynamic">): Map<string, string> =>
    new Map(files.map(({ uri, digest }) => [decodeURIComponent(uri.slice(folder.length)), digest]));
  const [before, after] = [toDigests(was), toDigests(is)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((file) => before.get(file) !== after.get(file))
    .sort();
}

function formatFiles(files: readonly string[]): string {
  const more = files.length - MAX_FILES;
  return formatList([...files.slice(0, MAX_FILES), ...(more > 0 ? [`${more} more`] : [])]);
}
