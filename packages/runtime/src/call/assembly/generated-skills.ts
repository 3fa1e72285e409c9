/**
 * Skills that the methods of resources generate: those with URIs such as `skill://daily/SKILL.md`.
 * @module
 */
import { expandScopes } from "../../access/auth/scopes.js";
import type { Auth } from "../../api/auth.js";
import { NotFoundError } from "../../api/errors.js";
import { SKILL_NAME, SKILL_SCHEME, SKILL_URI_END } from "../../manifest.js";
import type { Skill } from "../../protocol/specification.js";
import type { Call } from "../connection/call.js";
import type { Entries, EntrySource, ServedResource, ServedTemplate } from "./entries.js";
import type { Handler } from "./handlers.js";

/** A resource or template of a generated skill. */
type Generated = ServedResource | ServedTemplate;

/**
 * Returns all resources and templates of a server, and changes those with the URIs of skills: each SKILL.md starts with
 * frontmatter, and only callers who see a skill see its files.
 */
export function extendGeneratedSkills(
  { resources, templates }: Pick<Entries, "resources" | "templates">,
  { settings: { auth } }: EntrySource,
): Pick<Entries, "resources" | "templates"> {
  const skills = new Map<string, Generated>(
    [...resources, ...templates].filter(([uri]) => uri.startsWith(SKILL_SCHEME) && isSkill(uri)),
  );
  const extend = <Served extends Generated>([uri, served]: [string, Served]): [string, Served] => {
    const enclosing = [...skills].filter(([skill]) => uri.startsWith(getFolder(skill)));
    if (enclosing.length === 0) return [uri, served];
    const guarded = guard(
      served,
      enclosing.map(([, skill]) => skill),
      auth,
    );
    const handler = isSkill(uri) ? { ...guarded, invoke: withFrontmatter(served) } : guarded;
    return [uri, { ...served, handler }];
  };
  return { resources: new Map([...resources].map(extend)), templates: new Map([...templates].map(extend)) };
}

/** Returns whether a URI or template is that of a SKILL.md. */
function isSkill(uri: string): boolean {
  return uri.endsWith(SKILL_URI_END);
}

/** Returns the URI of the folder of a SKILL.md, with a slash at its end. */
function getFolder(skill: string): string {
  return skill.slice(0, 1 - SKILL_URI_END.length);
}

/** Returns whether a caller was granted all of these scopes. */
export function hasScopes({ peer }: Call, scopes: readonly string[], auth: Auth | undefined): boolean {
  if (scopes.length === 0) return true;
  const granted = expandScopes(peer.principal?.scopes ?? [], auth?.scopes ?? {});
  return scopes.every((scope) => granted.has(scope));
}

/** Returns the handler of a file, which is visible to callers who see it and all enclosing skills. */
function guard(served: Generated, enclosing: readonly Generated[], auth: Auth | undefined): Handler {
  const all = [...new Set([served, ...enclosing])];
  const isVisible = (call: Call, { entry, handler }: Generated): boolean =>
    hasScopes(call, entry.scopes ?? [], auth) && handler.isEnabled(call);
  const { handler } = served;
  return {
    ...handler,
    canBeDisabled: all.some(({ entry, handler }) => handler.canBeDisabled || (entry.scopes ?? []).length > 0),
    isEnabled: (call) => all.every((each) => isVisible(call, each)),
    authorizesArguments: all.some(({ handler }) => handler.authorizesArguments),
    // The template of a file contains that of its skill, so it has the same variables.
    allows: (call, args) => all.every(({ handler }) => handler.allows(call, args)),
  };
}

/** Returns a function that calls the method of a skill, and adds the frontmatter to the instructions that it returns. */
function withFrontmatter({ entry: { definition }, handler }: Generated): Handler["invoke"] {
  return async (call) => {
    const uri = call.params.uri as string;
    const { name, description } = createGeneratedSkill(uri, definition).frontmatter;
    if (!SKILL_NAME.test(name)) throw new NotFoundError(`"${name}" is not a valid skill name.`);
    const text: unknown = await handler.invoke(call);
    if (text === undefined || text === null) return text;
    if (typeof text !== "string" || text.startsWith("---\n") || text.startsWith("---\r\n"))
      throw new TypeError(
        `The method of ${uri} must return the instructions as a string without frontmatter, which is written from the URI ` +
          `and the description.`,
      );
    return `---\nname: ${toYaml(name)}\ndescription: ${toYaml(description)}\n---\n\n${text}`;
  };
}

/** Returns the entry of a generated skill. */
export function createGeneratedSkill(
  uri: string,
  { description = "" }: { description?: string | undefined },
): Skill {
  const folder = getFolder(uri).slice(0, -1);
  const name = decodeSegment(folder.slice(folder.lastIndexOf("/") + 1));
  return { uri, frontmatter: { name, description }, resources: "dynamic" };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Writes a string as quoted YAML that all versions of YAML read. Invisible characters are escaped, since some of them
 * end a line in some versions, and a server may remove others.
 */
function toYaml(text: string): string {
  return JSON.stringify(text).replaceAll(/\p{C}/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}
