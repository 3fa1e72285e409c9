/**
 * Skills that the methods of resources generate: those with URIs such as `skill://daily/SKILL.md`.
 * @module
 */
import {
  type Manifest,
  type ResourceEntry,
  type ResourceTemplateEntry,
  SKILL_NAME,
  SKILL_SCHEME,
  SKILL_URI_END,
  type SkillEntry,
} from "@tenon/runtime/manifest";
import type { SkillResourceProblem } from "../diagnostics/skill-messages.js";
import type { BuiltEntry } from "../manifest/entry.js";
import { getResultType } from "../manifest/output.js";
import type { Declaration, ResourceDeclaration } from "../model.js";
import { ts } from "../typescript/typescript.js";
import { MAX_DESCRIPTION_CHARACTERS } from "./frontmatter.js";
import type { Skill, SkillContext } from "./skill.js";
import { createSkillUri } from "./skill-entries.js";
import { formatType } from "../typescript/type-text.js";

/** The MIME type of each SKILL.md. */
const MARKDOWN = "text/markdown";

/** A resource or template, and its declaration. */
interface BuiltResource {
  declaration: ResourceDeclaration;
  entry: ResourceEntry | ResourceTemplateEntry;
}

/**
 * Checks the resources with URIs of skills, and completes the definitions of generated skills.
 *
 * @param declarations all declarations in the sources, including those with errors
 * @param folders the skills in folders
 */
export function checkGeneratedSkills(
  built: readonly BuiltEntry[],
  declarations: readonly Declaration[],
  folders: readonly Skill[],
  { project, collector }: SkillContext,
): void {
  const resources = built.filter(
    (each) => each.kind !== "tool" && each.kind !== "prompt" && each.declaration.uri.startsWith(SKILL_SCHEME),
  ) as BuiltResource[];
  const skills = declarations.flatMap((each) =>
    each.kind === "resource" && each.uri.endsWith(SKILL_URI_END) ? each.uri : [],
  );
  for (const { declaration, entry } of resources) {
    const { uri, uriNode, name } = declaration;
    const report = (reason: SkillResourceProblem, other?: string): void => {
      collector.createReport(name)("skill-resource-invalid", uriNode, {
        uri,
        reason,
        ...(other !== undefined && { other }),
      });
    };
    const shared = folders.find(
      ({ path }) => isInside(uri, createSkillUri(path)) || isInside(createSkillUri(path), toFolder(uri)),
    );
    if (shared !== undefined) report("in-folder", shared.path);
    else if (!uri.endsWith(SKILL_URI_END)) {
      if (!skills.some((skill) => isInside(uri, toFolder(skill)))) report("no-skill");
    } else {
      const { mimeType } = entry.definition;
      const problem = findProblem(entry.definition, declaration, project.checker);
      if (problem) report(...problem);
      else if (mimeType !== undefined && mimeType !== MARKDOWN) report("mime-type", mimeType);
      entry.definition.mimeType = MARKDOWN;
      if ("uri" in entry.definition) entry.definition.name = getName(uri);
    }
  }
}

function findProblem(
  { description }: { description?: string | undefined },
  { uri, signature }: ResourceDeclaration,
  checker: ts.TypeChecker,
): [SkillResourceProblem, string?] | undefined {
  const name = getName(uri);
  // A name with a variable is checked when a client reads the skill.
  if (!name.includes("{") && !SKILL_NAME.test(name)) return ["name", name];
  if (description === undefined) return ["no-description"];
  if (description.length > MAX_DESCRIPTION_CHARACTERS)
    return ["description-too-long", String(description.length)];
  const type = checker.getNonNullableType(getResultType(signature, checker));
  const types = type.isUnion() ? type.types : [type];
  const isText = types.every(({ flags }) => (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Never)) !== 0);
  return isText ? undefined : ["not-text", formatType(type, checker)];
}

/** Returns the URI of the folder of a SKILL.md, or the URI itself for another file. */
function toFolder(uri: string): string {
  return uri.endsWith(SKILL_URI_END) ? uri.slice(0, -SKILL_URI_END.length) : uri;
}

function isInside(uri: string, folder: string): boolean {
  return uri.startsWith(`${folder}/`);
}

/** Returns the name of the folder of a SKILL.md. */
function getName(uri: string): string {
  return toFolder(uri).slice(SKILL_SCHEME.length).split("/").at(-1) ?? "";
}

/** Adds an entry for each generated skill with a fixed URI. Those of templates are not listed. */
export function addGeneratedSkills(manifest: Manifest): Manifest {
  const isSkill = (uri: string): boolean => uri.startsWith(SKILL_SCHEME) && uri.endsWith(SKILL_URI_END);
  const generated = manifest.resources.flatMap(
    ({ definition: { uri, name, description = "" } }): SkillEntry[] =>
      isSkill(uri)
        ? [
            {
              path: toFolder(uri).slice(SKILL_SCHEME.length),
              definition: { uri, frontmatter: { name, description }, resources: "dynamic" },
            },
          ]
        : [],
  );
  const hasTemplates = manifest.resourceTemplates.some(({ definition }) => isSkill(definition.uriTemplate));
  if (generated.length === 0 && !hasTemplates) return manifest;
  const skills = [...(manifest.skills ?? []), ...generated];
  return { ...manifest, skills: skills.sort((a, b) => (a.definition.uri < b.definition.uri ? -1 : 1)) };
}
