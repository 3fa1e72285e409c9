/**
 * Skills that the methods of resource templates generate, such as `skill://customers/{id}/SKILL.md`. They are not listed, because
 * only the method knows which exist.
 * @module
 */
import { SKILL_SCHEME, SKILL_URI_END } from "../../manifest.js";
import type { Resource } from "../../protocol/specification.js";
import type { ServedTemplate } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import type { ServerParts } from "../stages/stage.js";
import { createResourceFinder } from "./find-resource.js";
import { createResourceMethods } from "./resources.js";
import { describeDirectory } from "./skill-directories.js";

/** Finds skills of templates, and their files. */
export interface SkillTemplates {
  /**
   * Returns the template of a skill; undefined if the URI matches no template that the caller sees.
   *
   * @throws ProtocolError if the method finds no skill
   */
  find(call: Call, uri: string): Promise<ServedTemplate | undefined>;
  /**
   * Returns the direct children of a directory in a skill of a template; an empty list if there is no such directory.
   * Files whose names contain variables are omitted, since only their method knows which exist.
   *
   * @throws ProtocolError if the method finds no skill
   */
  listDirectory(call: Call, uri: string): Promise<Resource[]>;
}

/** Creates the finder of the skills that the templates of a server generate. */
export function createSkillTemplates(server: ServerParts): SkillTemplates {
  const files = [...server.entries.templates.values()].filter((each) =>
    getTemplate(each).startsWith(SKILL_SCHEME),
  );
  const skills = files.filter((each) => getTemplate(each).endsWith(SKILL_URI_END));
  if (skills.length === 0) return { find: async () => undefined, listDirectory: async () => [] };
  const finder = createResourceFinder(server.entries);
  const read = createResourceMethods(server)["resources/read"];

  const find: SkillTemplates["find"] = async (call, uri) => {
    const isKnown = skills.some(({ template, handler }) => template.match(uri) && handler.isEnabled(call));
    if (!isKnown || !uri.endsWith(SKILL_URI_END)) return undefined;
    const { target } = finder.find(call, uri);
    const found = skills.find((each) => each === target);
    const { params } = call;
    call.params = { uri };
    try {
      if (found !== undefined) await read?.(call);
    } finally {
      call.params = params;
    }
    return found;
  };

  return {
    find,
    listDirectory: async (call, uri) => {
      for (let folder = uri; folder.length > SKILL_SCHEME.length; folder = getParent(folder)) {
        const skill = await find(call, `${folder}${SKILL_URI_END}`);
        if (skill === undefined) continue;
        const inside = uri === folder ? "" : `${uri.slice(folder.length + 1)}/`;
        const start = getTemplate(skill).slice(0, 1 - SKILL_URI_END.length) + inside;
        const enabled = files.filter((each) => each.handler.isEnabled(call));
        const children = enabled.flatMap((each): Resource[] => {
          const path = getTemplate(each).startsWith(start) ? getTemplate(each).slice(start.length) : "";
          if (path === "" || path.includes("{")) return [];
          const { uriTemplate: _, ...definition } = each.entry.definition;
          const child = `${uri}/${path.split("/")[0] ?? ""}`;
          return [path.includes("/") ? describeDirectory(child) : { ...definition, uri: child }];
        });
        return [...new Map(children.map((each) => [each.uri, each])).values()];
      }
      return [];
    },
  };
}

function getTemplate({ entry }: ServedTemplate): string {
  return entry.definition.uriTemplate;
}

function getParent(uri: string): string {
  return uri.slice(0, Math.max(uri.lastIndexOf("/"), 0));
}
