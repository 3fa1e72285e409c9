import type { SkillOptions } from "../../api/define-server.js";
import { findNearestName } from "../../data/problems/nearest-name.js";
import { createReport } from "../../data/results/internal-error.js";
import { createTextSanitizer } from "../../data/results/sanitize.js";
import type { SkillEntry } from "../../manifest.js";
import { createInternalErrorEntry } from "../../observe/log/internal-error-entry.js";
import type { ResourceContents } from "../../protocol/specification.js";
import { createOutdatedBuildError, getOwnMember } from "../application/lookup.js";
import { CallCaller } from "../connection/call-caller.js";
import type { Entries, EntrySource, ServedResource, ServedSkill } from "./entries.js";
import { extendGeneratedSkills, hasScopes } from "./generated-skills.js";
import { createGuardCheck, type Handler, OWN_HANDLER } from "./handlers.js";

/**
 * Adds skills and, as resources, the files of those that are in folders. The content of a file is loaded when a client
 * reads it. A skill inside another one is visible to the callers of the enclosing skill.
 *
 * @throws TypeError for options of a skill that does not exist, or that is inside another one
 * @throws Error if a file of the manifest was not built
 */
export function addSkillEntries(entries: Entries, source: EntrySource): Partial<Entries> {
  const { skills: all, skillFiles = [] } = source.application.manifest;
  const skills = (all ?? []).filter(({ definition }) => definition.resources !== "dynamic");
  checkSkillOptions(source, skills);
  if (all === undefined) return {};
  const generated = extendGeneratedSkills(entries, source);
  const outermost = skills.filter((skill) => findEnclosing(skill, skills) === undefined);
  const handlers = new Map(outermost.map(({ path }) => [path, createSkillHandler(path, source)]));
  const served = all.map((entry): [string, ServedSkill] => {
    const { uri } = entry.definition;
    const { path } = findOutermost(uri, outermost) ?? entry;
    const handler = handlers.get(path) ?? generated.resources.get(uri)?.handler;
    if (handler === undefined) throw createOutdatedBuildError(`The skill "${uri}" was not built.`);
    return [uri, { entry, handler }];
  });
  const isTextUnchanged = createTextCheck(source);
  const files = skillFiles.map(({ definition }): [string, ServedResource] => {
    const { uri, mimeType } = definition;
    const module = getOwnMember(source.application.skillFiles ?? {}, uri);
    const handler = handlers.get(findOutermost(uri, outermost)?.path ?? "");
    if (module === undefined || handler === undefined)
      throw createOutdatedBuildError(`The file "${uri}" of a skill was not built.`);
    const invoke: Handler["invoke"] = async () => {
      const content = await module.load();
      const head = { uri, ...(mimeType !== undefined && { mimeType }) };
      let contents: ResourceContents;
      if ("blob" in content) contents = { ...head, blob: content.blob };
      else if (isTextUnchanged(content.text)) contents = { ...head, text: content.text };
      else contents = { ...head, blob: Buffer.from(content.text).toString("base64") };
      return { contents: [contents] };
    };
    return [uri, { entry: { definition }, handler: { ...handler, invoke }, toJson: (value) => value }];
  });
  return {
    resources: new Map([...generated.resources, ...files]),
    templates: generated.templates,
    skills: new Map(served),
  };
}

/**
 * Creates a function that returns whether text is sent unchanged. Clients compare the bytes of a file with its digest, so
 * text with control characters is sent as bytes, which are never changed.
 */
function createTextCheck({ settings }: EntrySource): (text: string) => boolean {
  const sanitize = createTextSanitizer(settings.sanitize);
  return (text) => sanitize(text) === text;
}

/** Returns the outermost skill that contains another one. Manifests list skills in the order of their paths. */
function findEnclosing({ path }: SkillEntry, skills: readonly SkillEntry[]): SkillEntry | undefined {
  return skills.find((each) => path.startsWith(`${each.path}/`));
}

/** Returns the outermost skill to which a file belongs. */
function findOutermost(uri: string, outermost: readonly SkillEntry[]): SkillEntry | undefined {
  return outermost.find(({ definition }) => uri.startsWith(definition.uri.replace(/SKILL\.md$/, "")));
}

function checkSkillOptions({ settings }: EntrySource, skills: readonly SkillEntry[]): void {
  const names = skills.map(({ path }) => path);
  for (const name of Object.keys(settings.skills)) {
    const skill = skills.find(({ path }) => path === name);
    const nearest = findNearestName(name, names);
    if (skill === undefined)
      throw new TypeError(
        `skills["${name}"] has no effect, since there is no folder skills/${name} with a SKILL.md. ` +
          (nearest === undefined ? "Remove it." : `Did you mean "${nearest}"?`),
      );
    const enclosing = findEnclosing(skill, skills);
    if (enclosing !== undefined)
      throw new TypeError(
        `skills["${name}"] has no effect, since the skill is a part of "${enclosing.path}", whose callers can read all of its ` +
          `files. Use skills["${enclosing.path}"], or move the folder out of it.`,
      );
  }
}

/** Creates the handler of a skill, which decides who sees it. */
function createSkillHandler(path: string, { settings }: EntrySource): Handler {
  const { scopes = [], enabled }: SkillOptions = settings.skills[path] ?? {};
  const { auth, log } = settings;
  const isTrue = createGuardCheck(`the skill "${path}"`, log);
  const canBeDisabled = scopes.length > 0 || enabled !== undefined;
  return {
    ...OWN_HANDLER,
    invoke: () => undefined,
    options: { cache: settings.getCacheHint("skills", !canBeDisabled) },
    canBeDisabled,
    isEnabled: (call) => {
      try {
        return (
          hasScopes(call, scopes, auth) && (!enabled || isTrue("enabled", enabled(new CallCaller(call))))
        );
      } catch (error) {
        log(createInternalErrorEntry(createReport(`check whether the skill "${path}" is enabled`, error)));
        return false;
      }
    },
  };
}
