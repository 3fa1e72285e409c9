import type { Skill, SkillEntry } from "@tenon/runtime/manifest";
import { formatList } from "../terminal/text-format.js";
import { breaking, type ContractChange, safe } from "./effects.js";
import { pairByName } from "./pair-by-name.js";

/** A change to a skill. */
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
  const [earlier, current] = [before.definition, after.definition];
  const [granted, grants] = [earlier, current].map(
    ({ frontmatter }) => frontmatter["allowed-tools"] ?? "none",
  );
  const files = findChangedFiles(earlier, current);
  return [
    ...compareGeneration(earlier, current),
    ...(granted === grants
      ? []
      : [permission(`asks clients to allow ${String(grants)} (before: ${String(granted)})`)]),
    ...(earlier.frontmatter.description === current.frontmatter.description
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

/** Reports a change between a skill that consists of files and one that a method generates. */
function compareGeneration(earlier: Skill, current: Skill): ContractChange[] {
  const [wasGenerated, isGenerated] = [earlier, current].map(({ resources }) => resources === "dynamic");
  if (wasGenerated === isGenerated) return [];
  return isGenerated
    ? [breaking("is now generated: clients cannot verify its files, and some do not load it")]
    : [safe("is no longer generated, so clients can verify its files")];
}

/** Returns the files that are new, gone, or different, relative to the folder of the skill. Returns none if they are generated. */
function findChangedFiles({ uri, resources: earlier }: Skill, { resources: current }: Skill): string[] {
  if (earlier === "dynamic" || current === "dynamic") return [];
  const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
  const toDigests = (files: Exclude<Skill["resources"], "dynamic">): Map<string, string> =>
    new Map(files.map(({ uri, digest }) => [decodeURIComponent(uri.slice(folder.length)), digest]));
  const [before, after] = [toDigests(earlier), toDigests(current)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((file) => before.get(file) !== after.get(file))
    .sort();
}

function formatFiles(files: readonly string[]): string {
  const more = files.length - MAX_FILES;
  return formatList([...files.slice(0, MAX_FILES), ...(more > 0 ? [`${more} more`] : [])]);
}
