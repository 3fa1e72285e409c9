import type { SkillEntry } from "@tenon/runtime/manifest";
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
  const files = findChangedFiles(before, after);
  return [
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

/** Returns the files that are new, gone, or different, relative to the folder of the skill. */
function findChangedFiles(before: SkillEntry, after: SkillEntry): string[] {
  const toDigests = ({ definition }: SkillEntry): Map<string, string> => {
    const folder = definition.uri.slice(0, definition.uri.lastIndexOf("/") + 1);
    return new Map(
      definition.resources.map(({ uri, digest }) => [decodeURIComponent(uri.slice(folder.length)), digest]),
    );
  };
  const [was, is] = [toDigests(before), toDigests(after)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((file) => was.get(file) !== is.get(file)).sort();
}

function formatFiles(files: readonly string[]): string {
  const more = files.length - MAX_FILES;
  return formatList([...files.slice(0, MAX_FILES), ...(more > 0 ? [`${more} more`] : [])]);
}
