import type { Manifest } from "@tenon/runtime/manifest";
import type { CheckedModel } from "../check/check-model.js";
import { addCheckedSkills } from "./check-mentions.js";
import { addGeneratedSkills } from "./generated-skills.js";
import type { Skill, SkillContents, SkillContext } from "./skill.js";
import { addSkillOptions } from "./skill-options.js";

/**
 * Adds a server's skills to its manifest: those in folders, with their options in `defineServer`, and those that methods of
 * resources generate.
 *
 * @returns the manifest, and the contents of the files in folders by hash
 */
export function addSkills(
  manifest: Manifest,
  skills: readonly Skill[],
  { declarationsRead, config }: CheckedModel,
  { project: { root, checker }, collector }: SkillContext,
): { manifest: Manifest; contents: SkillContents } {
  const checked = addCheckedSkills(skills, manifest, { root, declarations: declarationsRead, collector });
  const paths = skills.map(({ path }) => path);
  const withOptions = addSkillOptions(checked.manifest, paths, config, { checker, collector });
  return { manifest: addGeneratedSkills(withOptions), contents: checked.contents };
}
