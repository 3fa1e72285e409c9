/**
 * `skills/list`, `skills/get`, and `resources/directory/read`: the extension `io.modelcontextprotocol/skills`. The files of
 * skills are resources, which `resources/read` returns.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 * @module
 */
import { createInvalidParamsError } from "../../api/errors.js";
import { getReadHint } from "../../data/results/cache-hints.js";
import { findNearestName } from "../../data/problems/nearest-name.js";
import { SKILLS_EXTENSION } from "../../manifest.js";
import { projectResource } from "../../protocol/projection.js";
import type { Resource } from "../../protocol/specification.js";
import { createGeneratedSkill } from "../assembly/generated-skills.js";
import type { ServedSkill } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import type { ServerParts } from "../stages/stage.js";
import { createList } from "./lists.js";
import type { Method, MethodFamily } from "./method.js";
import { selectPage } from "./paging.js";
import { createDirectories } from "./skill-directories.js";
import { createSkillTemplates } from "./skill-templates.js";

export const skills: MethodFamily = {
  createMethods: (server) =>
    server.entries.skills === undefined ? {} : createSkillMethods(server, server.entries.skills),
  getCapabilities: ({ entries }, { lacks }) =>
    entries.skills !== undefined && !lacks.methods.includes("skills/list")
      ? { extensions: { [SKILLS_EXTENSION]: { directoryRead: true } } }
      : undefined,
};

function createSkillMethods(
  server: ServerParts,
  served: ReadonlyMap<string, ServedSkill>,
): Record<string, Method> {
  const { settings, write } = server;
  const entries = [...served.values()];
  const hint = settings.getCacheHint(
    "skills",
    entries.every(({ handler }) => !handler.canBeDisabled),
  );
  const directories = createDirectories(server.entries);
  const templates = createSkillTemplates(server);
  return {
    "skills/list": createList(
      {
        member: "skills",
        entries,
        getKey: ({ entry }) => entry.definition.uri,
        project: ({ entry }) => entry.definition,
        hint,
      },
      server,
    ),

    "skills/get": async function getSkill(call) {
      const uri = readUri(call, "the SKILL.md of a skill");
      const found = served.get(uri);
      if (found?.handler.isEnabled(call) === true && found.handler.allows(call, {}))
        return write(call.revision, { skill: found.entry.definition }, { hint });
      const template = await templates.find(call, uri);
      if (template !== undefined) {
        const skill = createGeneratedSkill(uri, template.entry.definition);
        return write(call.revision, { skill }, { hint: getReadHint(template.handler.options.cache) });
      }
      const known = entries.filter(({ handler }) => handler.isEnabled(call));
      throw createUnknownError(
        "No skill is served at",
        uri,
        known.map(({ entry }) => entry.definition.uri),
      );
    },

    "resources/directory/read": async function readDirectory(call) {
      const uri = readUri(call, "a directory");
      const fixed = directories.get(uri)?.filter(({ isEnabled }) => isEnabled(call)) ?? [];
      const generated = await templates.listDirectory(call, uri);
      const children = [...fixed.map(({ resource }) => resource), ...generated];
      if (children.length === 0) {
        const file = server.entries.resources.get(uri);
        if (file?.handler.isEnabled(call) === true)
          throw createInvalidParamsError(
            `"${uri}" is a file and not a directory. Read it with resources/read.`,
          );
        const known = [...directories].filter(([, all]) => all.some(({ isEnabled }) => isEnabled(call)));
        throw createUnknownError(
          "There is no directory",
          uri,
          known.map(([name]) => name),
        );
      }
      const getKey = (resource: Resource): string => resource.uri;
      const { page, cursor } = selectPage("directory", children, getKey, call.params, settings.pageSize);
      const resources = page.map((resource) => projectResource(resource, call.revision));
      // The specification does not require the hint, but the official client does.
      return write(call.revision, { resources, nextCursor: cursor }, { hint });
    },
  };
}

function readUri({ params: { uri } }: Call, what: string): string {
  if (typeof uri !== "string") throw createInvalidParamsError(`\`uri\` must be the URI of ${what}.`);
  return uri;
}

function createUnknownError(problem: string, uri: string, known: readonly string[]): Error {
  const nearest = findNearestName(uri, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  return createInvalidParamsError(`${problem} "${uri.slice(0, 256)}".${hint}`);
}
