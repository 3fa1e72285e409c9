/**
 * `skills/list`, `skills/get` and `resources/directory/read`: the extension `io.modelcontextprotocol/skills`. The files of
 * skills are resources, which `resources/read` returns.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 * @module
 */
import { createInvalidParamsError } from "../../api/errors.js";
import { findNearestName } from "../../data/problems/nearest-name.js";
import { SKILL_SCHEME, SKILLS_EXTENSION } from "../../manifest.js";
import { projectResource } from "../../protocol/projection.js";
import type { Resource } from "../../protocol/specification.js";
import type { Entries, ServedResource, ServedSkill } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import type { ServerParts } from "../stages/stage.js";
import { createList } from "./lists.js";
import type { Method, MethodFamily } from "./method.js";
import { selectPage } from "./paging.js";

export const skills: MethodFamily = {
  methods: (server) =>
    server.entries.skills === undefined ? {} : createSkillMethods(server, server.entries.skills),
  capabilities: ({ entries }, { lacks }) =>
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

    "skills/get": function getSkill(call) {
      const uri = readUri(call, "the SKILL.md of a skill");
      const found = served.get(uri);
      if (found?.handler.isEnabled(call) !== true) {
        const known = entries.filter(({ handler }) => handler.isEnabled(call));
        throw createUnknownError(
          "No skill is served at",
          uri,
          known.map(({ entry }) => entry.definition.uri),
        );
      }
      return write(call.revision, { skill: found.entry.definition }, { hint });
    },

    "resources/directory/read": function readDirectory(call) {
      const uri = readUri(call, "a directory");
      const children = directories.get(uri)?.filter(({ isEnabled }) => isEnabled(call)) ?? [];
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
      const getKey = ({ resource }: Child): string => resource.uri;
      const { page, cursor } = selectPage("directory", children, getKey, call.params, settings.pageSize);
      const resources = page.map(({ resource }) => projectResource(resource, call.revision));
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

/** A file or folder in a directory. */
interface Child {
  readonly resource: Resource;
  /** Returns whether a caller sees it. */
  isEnabled(call: Call): boolean;
}

/** Returns the direct children of each directory, by the URI of the directory. */
function createDirectories({
  resources,
  skills = new Map(),
}: Entries): ReadonlyMap<string, readonly Child[]> {
  const directories = new Map<string, Map<string, ServedResource[]>>();
  const files = new Set(
    [...skills.values()].flatMap(({ entry }) => entry.definition.resources.map(({ uri }) => uri)),
  );
  for (const uri of files) {
    const served = resources.get(uri);
    if (served === undefined) continue;
    // The path of a file always has the name of its skill's folder before it.
    for (let child = uri; child.includes("/", SKILL_SCHEME.length);) {
      const parent = child.slice(0, child.lastIndexOf("/"));
      const children = directories.get(parent) ?? new Map<string, ServedResource[]>();
      directories.set(parent, children);
      children.set(child, [...(children.get(child) ?? []), served]);
      child = parent;
    }
  }
  const toChild = ([uri, inside]: [string, ServedResource[]]): Child => ({
    resource: resources.get(uri)?.entry.definition ?? describeDirectory(uri),
    isEnabled: (call) => inside.some(({ handler }) => handler.isEnabled(call)),
  });
  return new Map([...directories].map(([uri, children]) => [uri, [...children].map(toChild)]));
}

function describeDirectory(uri: string): Resource {
  const name = decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
  return { uri, name, mimeType: "inode/directory" };
}
