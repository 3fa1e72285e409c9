import { isDeepStrictEqual } from "node:util";
import type { DeclaredRateLimit } from "@tenon/runtime/manifest";
import { ENTRY_KINDS, type EntryKind } from "../project/declared-entries.js";
import { formatCount, formatList } from "../terminal/text-format.js";
import { compareEntries, compareWording } from "./definition-changes.js";
import { breaking, type Effect, type ContractChange, safe } from "./effects.js";
import { comparePermissions } from "./permissions.js";
import { compareQuestions } from "./questions.js";
import { findRenamed } from "./renamed.js";
import { findMissing } from "./schema/scalar-keywords.js";
import {
  type EntryDescription,
  type EntryPair,
  pairEntries,
  type ServerDescription,
} from "./server-description.js";
import { compareSkills } from "./skills.js";
import { compareViews, compareVisibility } from "./views.js";

/** One difference between two descriptions of a server, with its effect on clients. */
export interface ServerChange extends ContractChange {
  readonly kind: "server" | "scope" | "view" | "skill" | EntryKind;
  /** The name or URI; empty for the server itself. */
  readonly name: string;
  /** Set if anyone can now do something that was protected. */
  readonly isOpened?: true;
}

const EFFECTS: readonly Effect[] = ["breaking", "permission", "safe", "wording"];

/**
 * Compares two descriptions of a server.
 *
 * @returns the changes that matter to clients, the most serious first
 * @example
 * compareServers(before, after)
 * // [{ effect: "breaking", kind: "tool", name: "forecast", message: "argument `days` is now required" }]
 */
export function compareServers(before: ServerDescription, after: ServerDescription): ServerChange[] {
  const pairs = pairEntries(before, after);
  const changes: ServerChange[] = [
    ...[
      ...compareRateLimits(before, after, "rate limit for all calls of a caller"),
      ...compareServer(before, after),
    ].map((each) => ({ ...each, kind: "server" as const, name: "" })),
    ...pairs.flatMap((pair) => toServerChanges(pair, compareEntryQuestions(pair, before, after))),
    ...ENTRY_KINDS.flatMap((kind) => {
      const pairsOfKind = pairs.filter((pair) => pair.kind === kind);
      return [
        ...findRemovedEntries(kind, pairsOfKind),
        ...pairsOfKind.flatMap((pair) => toServerChanges(pair, compareEntry(pair))),
      ];
    }),
    ...compareViews(before.views, after.views),
    ...compareSkills(before.skills, after.skills),
    ...comparePermissions(before, after)
      .filter(({ effect }) => effect !== "new")
      .map(({ effect, kind, name, message }): ServerChange => {
        return { effect: "permission", kind, name, message, ...(effect === "opened" && { isOpened: true }) };
      }),
  ];
  return EFFECTS.flatMap((effect) => changes.filter((each) => each.effect === effect));
}

function compareServer(before: ServerDescription, after: ServerDescription): ContractChange[] {
  const [earlier, current] = [before.resourceUpdates ?? false, after.resourceUpdates ?? false];
  return [
    ...(earlier && !current ? [breaking("no longer reports updates of resources")] : []),
    ...(current && !earlier ? [safe("now reports updates of resources")] : []),
    ...compareIssuers(before.auth?.issuers, after.auth?.issuers),
    ...compareToolSearch(before, after),
    ...(before.instructions === after.instructions
      ? []
      : [{ effect: "wording" as const, message: "has different instructions" }]),
  ];
}

/** Compares which tools are listed: with `toolSearch`, clients find the others by searching. */
function compareToolSearch(before: ServerDescription, after: ServerDescription): ContractChange[] {
  const [earlier, current] = [listHidden(before), listHidden(after)];
  const format = (names: readonly string[]): string => formatList(names.map((name) => `\`${name}\``));
  const listsIn = ({ tools }: ServerDescription, names: readonly string[]): string[] =>
    names.filter((name) => tools.some(({ definition }) => definition.name === name));
  const [hidden, shown] = [
    listsIn(before, findMissing(earlier, current)),
    listsIn(after, findMissing(current, earlier)),
  ];
  const searchTools = format(["search_tools", "call_tool"]);
  return [
    ...(before.toolSearch && !after.toolSearch ? [breaking(`no longer has ${searchTools}`)] : []),
    ...(after.toolSearch && !before.toolSearch ? [safe(`now has ${searchTools}`)] : []),
    ...(hidden.length > 0 ? [breaking(`no longer lists ${format(hidden)}, which clients must search`)] : []),
    ...(shown.length > 0 ? [safe(`now lists ${format(shown)}`)] : []),
  ];
}

/** Returns the names of the tools that clients can only find by searching. */
function listHidden({ toolSearch, tools }: ServerDescription): string[] {
  const hidden = tools.filter(
    ({ definition, view, visibility }) =>
      view === undefined &&
      visibility?.includes("model") !== false &&
      toolSearch?.always?.includes(definition.name) !== true,
  );
  return toolSearch === undefined ? [] : hidden.map(({ definition }) => definition.name);
}

/** Compares the authorization servers. Clients have tokens only from those that the server named before. */
function compareIssuers(earlier: readonly string[] = [], current: readonly string[] = []): ContractChange[] {
  if (earlier.length === 0 || current.length === 0) return [];
  return [
    ...findMissing(current, earlier).map((each) => breaking(`no longer accepts tokens from ${each}`)),
    ...findMissing(earlier, current).map((each) => safe(`now accepts tokens from ${each}`)),
  ];
}

function toServerChanges({ kind, name }: EntryPair, changes: readonly ContractChange[]): ServerChange[] {
  return changes.map(({ effect, message }) => ({ effect, kind, name, message }));
}

/** Compares the questions of an entry that exists before and after. The questions of a new entry are not changes. */
function compareEntryQuestions(
  { kind, name, before, after }: EntryPair,
  { questions: earlier }: ServerDescription,
  { questions: current }: ServerDescription,
): ContractChange[] {
  if (!before || !after || !earlier || !current) return [];
  const key = `${kind} ${name}`;
  return compareQuestions(earlier[key] ?? [], current[key] ?? []);
}

function findRemovedEntries(kind: EntryKind, pairs: readonly EntryPair[]): ServerChange[] {
  const successors = findRenamed(kind, pairs);
  const verb = kind.startsWith("resource") ? "moved" : "renamed";
  return pairs.flatMap(({ name, after }): ServerChange[] => {
    const successor = successors.get(name);
    const message =
      successor === undefined ? "was removed" : `was removed, probably ${verb} to \`${successor}\``;
    return after ? [] : [{ effect: "breaking", kind, name, message }];
  });
}

function compareEntry({ kind, before, after }: EntryPair): ContractChange[] {
  if (!after) return [];
  if (!before) return [safe("is new")];
  const changes = [
    ...compareEntries(kind, before, after),
    ...compareTasks(before, after),
    ...compareVisibility(before, after),
    ...compareCallbacks(before, after),
    ...compareRateLimits(before, after, "rate limit"),
    ...compareWording(before.definition, after.definition),
  ];
  // A new or removed member may both exclude and allow values, which is reported as one change.
  return [...new Map(changes.map((each) => [`${each.effect} ${each.message}`, each])).values()];
}

/** Compares the support for tasks. Clients without tasks receive a result from a tool that may run as a task, and an error from one that must. */
function compareTasks(
  { task: earlier }: EntryDescription<unknown>,
  { task: current }: EntryDescription<unknown>,
): ContractChange[] {
  if (earlier?.support === current?.support) return [];
  if (current?.support === "required")
    return [breaking("now always runs as a task: clients of 2026-07-28 must support tasks")];
  if (current === undefined) return [safe("no longer runs as a task")];
  return [safe(earlier === undefined ? "may now run as a task" : "may now also run without a task")];
}

function compareCallbacks(
  before: EntryDescription<unknown>,
  after: EntryDescription<unknown>,
): ContractChange[] {
  const [earlier, current] = [before.completes ?? [], after.completes ?? []];
  return [
    ...(before.lists && !after.lists ? [breaking("no longer lists its resources")] : []),
    ...(after.lists && !before.lists ? [safe("now lists its resources")] : []),
    ...findMissing(current, earlier).map((name) => breaking(`no longer completes \`${name}\``)),
    ...findMissing(earlier, current).map((name) => safe(`now completes \`${name}\``)),
  ];
}

interface Limited {
  readonly rateLimit?: DeclaredRateLimit;
}

function compareRateLimits(
  { rateLimit: earlier }: Limited,
  { rateLimit: current }: Limited,
  subject: string,
): ContractChange[] {
  if (isDeepStrictEqual(earlier, current)) return [];
  // Older contracts do not record limits that are functions.
  const [now, before] = [formatRateLimit(current, "none"), formatRateLimit(earlier, "none recorded")];
  return [{ effect: "permission", message: `${subject}: ${now} (before: ${before})` }];
}

function formatRateLimit(limit: DeclaredRateLimit | undefined, none: string): string {
  if (limit === undefined) return none;
  if (limit === "function") return "determined by a function for each caller";
  if (limit === "unknown") return "determined by the running server";
  return `${formatCount(limit.calls, "call")} in ${limit.windowMs / 1000} s`;
}
