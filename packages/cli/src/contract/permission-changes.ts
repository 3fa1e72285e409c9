import type { Guard, KnownScopes } from "@tenon/runtime/manifest";
import type { Contract, Promised } from "./contract.js";

/**
 * - `opened`: whoever may connect may do now what had to be granted before
 * - `wider`, `narrower`: more callers may than before, or fewer
 * - `different`: some callers may that could not before, and others may no longer
 * - `new`: there was nothing of the name
 */
export type PermissionEffect = "opened" | "wider" | "different" | "narrower" | "new";

/** One difference between who may do something and who could before. */
export interface PermissionChange {
  effect: PermissionEffect;
  kind: "server" | "scope" | "tool" | "prompt" | "resource" | "resource template";
  /** Or the URI; empty for the server itself. */
  name: string;
  message: string;
}

/** A tool, prompt or resource, as far as it matters who may. */
interface Subject {
  kind: PermissionChange["kind"];
  name: string;
  /** What is done with it. */
  verb: "call" | "get" | "read";
  scopes: readonly string[];
  guards: readonly Guard[];
  isDestructive: boolean;
}

/**
 * Compares who may do what, as far as manifests tell: scopes and what they imply, and whether options that decide are
 * there. What those decide is code.
 *
 * @example
 * permissionChanges(before, after)
 * // [{ effect: "opened", kind: "tool", name: "purge", message: "needed `files:delete`; now whoever may connect may call it" }]
 */
export function permissionChanges(before: Contract, after: Contract): PermissionChange[] {
  const old = new Map(subjects(before).map((each) => [keyOf(each), each]));
  const scopes = { before: before.auth?.scopes ?? {}, after: after.auth?.scopes ?? {} };
  return [
    ...serverChanges(before, after),
    ...impliedChanges(scopes),
    ...subjects(after).flatMap((now): PermissionChange[] => {
      const was = old.get(keyOf(now));
      const [effect, message] = (was ? changeOf(was, now, scopes) : newcomer(now)) ?? [];
      const exposed = exposure(was, now, after);
      const { kind, name } = now;
      return [
        ...(exposed === undefined ? [] : [{ effect: "opened" as const, kind, name, message: exposed }]),
        ...(effect && message !== undefined && exposed === undefined
          ? [{ effect, kind, name, message }]
          : []),
      ];
    }),
  ];
}

interface ScopeTables {
  before: KnownScopes;
  after: KnownScopes;
}

function keyOf({ kind, name }: Subject): string {
  return `${kind} ${name}`;
}

function subjects({ tools, prompts, resources, resourceTemplates }: Contract): Subject[] {
  const plain = { isDestructive: false };
  const permissions = ({ scopes = [], guards = [] }: Promised<unknown>) => ({ scopes, guards });
  return [
    ...tools.map((entry) => {
      const { name, annotations } = entry.definition;
      const isDestructive = annotations?.destructiveHint === true;
      return { kind: "tool", name, verb: "call", ...permissions(entry), isDestructive } as const;
    }),
    ...prompts.map((entry) => {
      const { name } = entry.definition;
      return { kind: "prompt", name, verb: "get", ...permissions(entry), ...plain } as const;
    }),
    ...resources.map((entry) => {
      const { uri: name } = entry.definition;
      return { kind: "resource", name, verb: "read", ...permissions(entry), ...plain } as const;
    }),
    ...resourceTemplates.map((entry) => {
      const { uriTemplate: name } = entry.definition;
      return { kind: "resource template", name, verb: "read", ...permissions(entry), ...plain } as const;
    }),
  ];
}

function serverChanges({ auth: before }: Contract, { auth: after }: Contract): PermissionChange[] {
  if (before && !after) {
    const message = "`auth` is gone: anyone who reaches the server may use all that needs no scope";
    return [{ effect: "opened", kind: "server", name: "", message }];
  }
  if (before || !after) return [];
  const message = "`auth` is new: callers over HTTP have to authenticate";
  return [{ effect: "narrower", kind: "server", name: "", message }];
}

/** Scopes that let their holders do more than before, or less. */
function impliedChanges({ before, after }: ScopeTables): PermissionChange[] {
  return Object.keys(after).flatMap((name): PermissionChange[] => {
    if (!Object.hasOwn(before, name)) return [];
    const was = allowed([name], before);
    const is = allowed([name], after);
    const gained = [...is].filter((each) => !was.has(each));
    const lost = [...was].filter((each) => !is.has(each));
    return [
      ...(gained.length > 0
        ? [{ effect: "wider", kind: "scope", name, message: `implies ${listed(gained)} now` } as const]
        : []),
      ...(lost.length > 0
        ? [{ effect: "narrower", kind: "scope", name, message: `implies ${listed(lost)} no longer` } as const]
        : []),
    ];
  });
}

/** What is said of something new. */
function newcomer(now: Subject): [PermissionEffect, string] {
  return ["new", isProtected(now) ? requirement(now) : `whoever may connect may ${now.verb} it`];
}

/** Said of a destructive tool that a server which asks who calls newly lets anybody call. */
function exposure(was: Subject | undefined, now: Subject, { auth }: Contract): string | undefined {
  if (!auth || !now.isDestructive || isProtected(now) || (was?.isDestructive && !isProtected(was)))
    return undefined;
  const past = was ? (isProtected(was) ? `${requirementBefore(was)}; ` : "") : "new; ";
  return `${past}it is destructive${was && !was.isDestructive ? " now" : ""}, and whoever may connect may ${now.verb} it`;
}

function changeOf(was: Subject, now: Subject, scopes: ScopeTables): [PermissionEffect, string] | undefined {
  const anybody = `whoever may connect may ${now.verb} it`;
  if (isProtected(was) && !isProtected(now)) return ["opened", `${requirementBefore(was)}; now ${anybody}`];
  if (!isProtected(was) && isProtected(now))
    return ["narrower", `${requirement(now)}; before, whoever could connect could ${now.verb} it`];
  const scopeChanged = scopeChange(was, now, scopes);
  const changes = [...(scopeChanged ? [scopeChanged] : []), ...guardChanges(was, now)];
  const effects = new Set(changes.map(([effect]) => effect));
  const [first] = effects;
  if (first === undefined) return undefined;
  return [effects.size > 1 ? "different" : first, changes.map(([, message]) => message).join("; ")];
}

function scopeChange(
  was: Subject,
  now: Subject,
  scopes: ScopeTables,
): [PermissionEffect, string] | undefined {
  const lost = was.scopes.filter((each) => !now.scopes.includes(each));
  const gained = now.scopes.filter((each) => !was.scopes.includes(each));
  if (lost.length === 0 && gained.length === 0) return undefined;
  const keepAll = covers(was.scopes, now.scopes, scopes.after);
  const gainNone = covers(now.scopes, was.scopes, scopes.before);
  if (keepAll && gainNone) return undefined;
  const kept = now.scopes.filter((each) => !gained.includes(each));
  const message =
    gained.length === 0
      ? `needs ${listed(lost)} no longer${kept.length > 0 ? `, only ${listed(kept)}` : ""}`
      : lost.length === 0
        ? `needs ${listed(gained)} as well${kept.length > 0 ? ` as ${listed(kept)}` : ""}`
        : `needs ${listed(gained)} instead of ${listed(lost)}${kept.length > 0 ? `, besides ${listed(kept)}` : ""}`;
  return [keepAll ? "wider" : gainNone ? "narrower" : "different", message];
}

function guardChanges(was: Subject, now: Subject): [PermissionEffect, string][] {
  return [
    ...was.guards.flatMap((each): [PermissionEffect, string][] =>
      now.guards.includes(each) ? [] : [["wider", `\`${each}\` is gone`]],
    ),
    ...now.guards.flatMap((each): [PermissionEffect, string][] =>
      was.guards.includes(each) ? [] : [["narrower", `\`${each}\` decides as well`]],
    ),
  ];
}

/** True when a caller has to have been granted something, or to be somebody. */
function isProtected({ scopes, guards }: Subject): boolean {
  return scopes.length > 0 || guards.includes("authorize");
}

function requirement({ scopes, guards }: Subject): string {
  return [
    ...(scopes.length > 0 ? [`needs ${listed(scopes)}`] : []),
    ...(guards.includes("authorize") ? ["`authorize` decides"] : []),
  ].join(", and ");
}

function requirementBefore({ scopes, guards }: Subject): string {
  return [
    ...(scopes.length > 0 ? [`needed ${listed(scopes)}`] : []),
    ...(guards.includes("authorize") ? ["`authorize` decided"] : []),
  ].join(", and ");
}

/** True when who has the scopes may do all that needs others. */
function covers(scopes: readonly string[], others: readonly string[], table: KnownScopes): boolean {
  const all = allowed(scopes, table);
  return others.every((each) => all.has(each));
}

/** Scopes with all that they imply. */
function allowed(scopes: readonly string[], table: KnownScopes): ReadonlySet<string> {
  const all = new Set(scopes);
  for (const each of all) for (const implied of table[each]?.implies ?? []) all.add(implied);
  return all;
}

function listed(scopes: readonly string[]): string {
  const quoted = scopes.map((each) => `\`${each}\``);
  const last = quoted.pop() ?? "";
  return quoted.length > 0 ? `${quoted.join(", ")} and ${last}` : last;
}
