import type { Guard, DeclaredScopes, SkillEntry, Tool } from "@tenon/runtime/manifest";
import type { EntryKind } from "../project/declared-entries.js";
import { formatList } from "../terminal/text-format.js";
import { pairByName } from "./pair-by-name.js";
import { type EntryPair, pairEntries, type ServerDescription } from "./server-description.js";

/**
 * The effect of a change on the callers with access:
 *
 * - `opened`: every caller now has access that previously required permission, or access to a destructive tool
 * - `wider`, `narrower`: more or fewer callers have access
 * - `different`: some callers gain access and others lose it
 * - `new`: the entry is new
 */
export type PermissionEffect = "opened" | "wider" | "different" | "narrower" | "new";

/** One change that affects which callers have access. */
export interface PermissionChange {
  effect: PermissionEffect;
  kind: "server" | "scope" | "skill" | EntryKind;
  /** The name, URI, or path of a skill; empty for the server itself. */
  name: string;
  message: string;
}

/** The requirements for using a tool, prompt, resource, or skill. */
interface Access {
  /** The verb for using it, in messages. */
  verb: "call" | "get" | "read" | "load";
  scopes: readonly string[];
  guards: readonly Guard[];
  isDestructive: boolean;
}

const VERBS = { tool: "call", prompt: "get", resource: "read", "resource template": "read" } as const;

/**
 * Compares the permissions that manifests declare: scopes, the scopes that they imply, and the presence of options that
 * decide access. The code of these options is not compared.
 *
 * @example
 * comparePermissions(before, after)
 * // [{ effect: "opened", kind: "tool", name: "purge", message: "required `files:delete`; now every caller may call it" }]
 */
export function comparePermissions(before: ServerDescription, after: ServerDescription): PermissionChange[] {
  const scopes = { before: before.auth?.scopes ?? {}, after: after.auth?.scopes ?? {} };
  return [
    ...compareAuth(before, after),
    ...compareImpliedScopes(scopes),
    ...listAccess(before, after).flatMap(({ kind, name, earlier, now }): PermissionChange[] => {
      if (!now) return [];
      const exposure = describeExposure(earlier, now, after);
      if (exposure !== undefined) return [{ effect: "opened", kind, name, message: exposure }];
      const [effect, message] = (earlier ? compareAccess(earlier, now, scopes) : describeNew(now)) ?? [];
      return effect === undefined || message === undefined ? [] : [{ effect, kind, name, message }];
    }),
  ];
}

/** The requirements for using an entry, before and after a change. Absent where the entry does not exist. */
interface AccessPair extends Pick<PermissionChange, "kind" | "name"> {
  readonly earlier: Access | undefined;
  readonly now: Access | undefined;
}

/** Lists the requirements of all entries and skills. */
function listAccess(before: ServerDescription, after: ServerDescription): AccessPair[] {
  const skills = pairByName(before.skills ?? [], after.skills ?? [], ({ path }) => path);
  return [
    ...pairEntries(before, after).map(({ kind, name, before, after }) => ({
      kind,
      name,
      earlier: before && getAccess(kind, before),
      now: after && getAccess(kind, after),
    })),
    ...skills.map(({ name, before, after }) => ({
      kind: "skill" as const,
      name,
      earlier: before && getSkillAccess(before),
      now: after && getSkillAccess(after),
    })),
  ];
}

function getSkillAccess({ scopes = [], guards = [] }: SkillEntry): Access {
  return { verb: "load", scopes, guards, isDestructive: false };
}

interface ScopeTables {
  before: DeclaredScopes;
  after: DeclaredScopes;
}

function getAccess(kind: EntryKind, entry: NonNullable<EntryPair["after"]>): Access {
  const { definition, scopes = [], guards = [] } = entry;
  const isDestructive = kind === "tool" && (definition as Tool).annotations?.destructiveHint === true;
  return { verb: VERBS[kind], scopes, guards, isDestructive };
}

function compareAuth(
  { auth: before }: ServerDescription,
  { auth: after }: ServerDescription,
): PermissionChange[] {
  if (before && !after) {
    const message =
      "`auth` was removed: anyone who can reach the server may use everything that requires no scope";
    return [{ effect: "opened", kind: "server", name: "", message }];
  }
  if (!after) return [];
  if (after.conditional && before && !before.conditional) {
    const message =
      "`auth` is now conditional: where it is undefined, anyone who can reach the server may use everything that requires no scope";
    return [{ effect: "opened", kind: "server", name: "", message }];
  }
  if (before && (after.conditional || !before.conditional)) return [];
  const message = after.conditional
    ? "`auth` was added: where it is set, callers over HTTP must authenticate"
    : before
      ? "`auth` is no longer conditional: callers over HTTP must authenticate"
      : "`auth` was added: callers over HTTP must authenticate";
  return [{ effect: "narrower", kind: "server", name: "", message }];
}

/** Returns the changes to the scopes that each scope implies. */
function compareImpliedScopes({ before, after }: ScopeTables): PermissionChange[] {
  return Object.keys(after).flatMap((name): PermissionChange[] => {
    if (!Object.hasOwn(before, name)) return [];
    const earlier = expandScopes([name], before);
    const current = expandScopes([name], after);
    const gained = [...current].filter((each) => !earlier.has(each));
    const lost = [...earlier].filter((each) => !current.has(each));
    return [
      ...(gained.length > 0
        ? [{ effect: "wider", kind: "scope", name, message: `now implies ${formatScopes(gained)}` } as const]
        : []),
      ...(lost.length > 0
        ? [
            {
              effect: "narrower",
              kind: "scope",
              name,
              message: `no longer implies ${formatScopes(lost)}`,
            } as const,
          ]
        : []),
    ];
  });
}

/** Describes who has access to a new entry. */
function describeNew(now: Access): [PermissionEffect, string] {
  return ["new", isProtected(now) ? `requires ${formatRequirement(now)}` : `every caller may ${now.verb} it`];
}

/** Describes a destructive tool that every caller may now call, on a server with authentication. */
function describeExposure(
  earlier: Access | undefined,
  now: Access,
  { auth }: ServerDescription,
): string | undefined {
  if (!auth || !now.isDestructive || isProtected(now) || (earlier?.isDestructive && !isProtected(earlier)))
    return undefined;
  const access = `every caller may ${now.verb} it`;
  if (!earlier) return `new and destructive; ${access}`;
  if (!isProtected(earlier)) return `is now destructive; ${access}`;
  const destructiveNote = earlier.isDestructive ? "is destructive" : "is now destructive";
  return `required ${formatRequirement(earlier)}; now ${access}, and it ${destructiveNote}`;
}

function compareAccess(
  earlier: Access,
  now: Access,
  scopes: ScopeTables,
): [PermissionEffect, string] | undefined {
  if (isProtected(earlier) && !isProtected(now))
    return ["opened", `required ${formatRequirement(earlier)}; now every caller may ${now.verb} it`];
  if (!isProtected(earlier) && isProtected(now))
    return ["narrower", `requires ${formatRequirement(now)}; before, every caller could ${now.verb} it`];
  const scopeChanged = compareScopes(earlier, now, scopes);
  const changes = [...(scopeChanged ? [scopeChanged] : []), ...compareGuards(earlier, now)];
  const effects = new Set(changes.map(([effect]) => effect));
  const [first] = effects;
  if (first === undefined) return undefined;
  return [effects.size > 1 ? "different" : first, changes.map(([, message]) => message).join("; ")];
}

function compareScopes(
  earlier: Access,
  now: Access,
  scopes: ScopeTables,
): [PermissionEffect, string] | undefined {
  const lost = earlier.scopes.filter((each) => !now.scopes.includes(each));
  const gained = now.scopes.filter((each) => !earlier.scopes.includes(each));
  if (lost.length === 0 && gained.length === 0) return undefined;
  const allKeepAccess = covers(earlier.scopes, now.scopes, scopes.after);
  const noneGainAccess = covers(now.scopes, earlier.scopes, scopes.before);
  if (allKeepAccess && noneGainAccess) return undefined;
  const remaining = now.scopes.filter((each) => !gained.includes(each));
  const message =
    gained.length === 0
      ? `no longer requires ${formatScopes(lost)}${remaining.length > 0 ? `, only ${formatScopes(remaining)}` : ""}`
      : lost.length === 0
        ? `also requires ${formatScopes(gained)}${remaining.length > 0 ? `, in addition to ${formatScopes(remaining)}` : ""}`
        : `requires ${formatScopes(gained)} instead of ${formatScopes(lost)}${remaining.length > 0 ? `, in addition to ${formatScopes(remaining)}` : ""}`;
  return [allKeepAccess ? "wider" : noneGainAccess ? "narrower" : "different", message];
}

function compareGuards(earlier: Access, now: Access): [PermissionEffect, string][] {
  return [
    ...earlier.guards.flatMap((each): [PermissionEffect, string][] =>
      now.guards.includes(each) ? [] : [["wider", `\`${each}\` was removed`]],
    ),
    ...now.guards.flatMap((each): [PermissionEffect, string][] =>
      earlier.guards.includes(each) ? [] : [["narrower", `\`${each}\` was added`]],
    ),
  ];
}

/** Returns whether access requires scopes or the approval of `authorize`. */
function isProtected({ scopes, guards }: Access): boolean {
  return scopes.length > 0 || guards.includes("authorize");
}

function formatRequirement({ scopes, guards }: Access): string {
  return formatList([
    ...scopes.map((each) => `\`${each}\``),
    ...(guards.includes("authorize") ? ["approval by `authorize`"] : []),
  ]);
}

/** Returns whether `scopes`, with all scopes that they imply, include all `others`. */
function covers(scopes: readonly string[], others: readonly string[], table: DeclaredScopes): boolean {
  const all = expandScopes(scopes, table);
  return others.every((each) => all.has(each));
}

/** Returns scopes together with all scopes that they imply. */
function expandScopes(scopes: readonly string[], table: DeclaredScopes): ReadonlySet<string> {
  const all = new Set(scopes);
  for (const each of all) for (const implied of table[each]?.implies ?? []) all.add(implied);
  return all;
}

function formatScopes(scopes: readonly string[]): string {
  return formatList(scopes.map((each) => `\`${each}\``));
}
