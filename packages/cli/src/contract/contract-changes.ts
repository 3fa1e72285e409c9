import { isDeepStrictEqual } from "node:util";
import type { KnownRateLimit, Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { count } from "../terminal/text-format.js";
import { declaredNames } from "../project/declared-questions.js";
import { permissionChanges } from "./permission-changes.js";
import { questionChanges } from "./question-changes.js";
import type { Contract, Promised } from "./contract.js";
import { arePromptsAlike, areResourcesAlike, areToolsAlike, renamed } from "./renamed.js";
import { GONE, NEW, NEW_AND_NEEDED, schemaChanges, type SchemaChange } from "./schema-changes.js";

/**
 * - `breaking`: what a client did before may fail now, or mean something else
 * - `permission`: who may do it, or what clients are told of its effects, is different
 * - `safe`: a client can do more than before
 * - `wording`: what models and people read is different
 */
export type ContractEffect = "breaking" | "permission" | "safe" | "wording";

/** One difference between what clients were promised and what they see now. */
export interface ContractChange {
  readonly effect: ContractEffect;
  readonly kind: "server" | "scope" | "tool" | "prompt" | "resource" | "resource template";
  /** Or the URI; empty for the server itself. */
  readonly name: string;
  readonly message: string;
  /** It lets anybody do what was protected. */
  readonly isOpened?: true;
}

type Definition = Tool | Prompt | Resource | ResourceTemplate;

/** In what a server differs from its contract, the most serious first. */
export function contractChanges(before: Contract, after: Contract): ContractChange[] {
  const found = [
    ...rateLimitChanges(before, after, "all calls of one caller are allowed").map((each): ContractChange => {
      return { ...each, kind: "server", name: "" };
    }),
    ...asked(before, after),
    ...ofKind("tool", before.tools, after.tools, ({ name }) => name, toolChanges, areToolsAlike),
    ...ofKind("prompt", before.prompts, after.prompts, ({ name }) => name, promptChanges, arePromptsAlike),
    ...ofKind(
      "resource",
      before.resources,
      after.resources,
      ({ uri }) => uri,
      resourceChanges,
      areResourcesAlike,
    ),
    ...ofKind(
      "resource template",
      before.resourceTemplates,
      after.resourceTemplates,
      ({ uriTemplate }) => uriTemplate,
      resourceChanges,
      areResourcesAlike,
    ),
    ...permissionChanges(before, after)
      .filter(({ effect }) => effect !== "new")
      .map(({ effect, kind, name, message }): ContractChange => {
        return { effect: "permission", kind, name, message, ...(effect === "opened" && { isOpened: true }) };
      }),
  ];
  return ORDER.flatMap((effect) => found.filter((each) => each.effect === effect));
}

const ORDER: readonly ContractEffect[] = ["breaking", "permission", "safe", "wording"];

/** Of what is there before and after: a new tool asks whatever it asks. */
function asked(
  { questions: was, ...before }: Contract,
  { questions: is, ...after }: Contract,
): ContractChange[] {
  if (was === undefined || is === undefined) return [];
  const known = new Set(declaredNames(before).map(({ kind, name }) => `${kind} ${name}`));
  return declaredNames(after).flatMap(({ kind, name }) => {
    const key = `${kind} ${name}`;
    if (!known.has(key)) return [];
    return questionChanges(was[key] ?? [], is[key] ?? []).map((each) => ({ ...each, kind, name }));
  });
}

type Found = Pick<ContractChange, "effect" | "message">;

function ofKind<Served extends Definition>(
  kind: ContractChange["kind"],
  before: readonly Promised<Served>[],
  after: readonly Promised<Served>[],
  nameOf: (definition: Served) => string,
  changesOf: (before: Served, after: Served) => Found[],
  isAlike: (before: Served, after: Served) => boolean,
): ContractChange[] {
  const old = new Map(before.map((entry) => [nameOf(entry.definition), entry]));
  const now = new Set(after.map(({ definition }) => nameOf(definition)));
  const definitions = (
    entries: readonly Promised<Served>[],
    others: { has(name: string): boolean },
  ): Served[] => entries.map(({ definition }) => definition).filter((each) => !others.has(nameOf(each)));
  const gone = definitions(before, now);
  const successors = renamed(gone, definitions(after, old), isAlike);
  const verb = kind.startsWith("resource") ? "it seems moved to" : "it seems renamed to";
  return [
    ...gone.map((each): ContractChange => {
      const successor = successors.get(each);
      const message = successor ? `is gone: ${verb} \`${nameOf(successor)}\`` : "is gone";
      return { effect: "breaking", kind, name: nameOf(each), message };
    }),
    ...after.flatMap((entry): ContractChange[] => {
      const name = nameOf(entry.definition);
      const was = old.get(name);
      const found: Found[] =
        was === undefined
          ? [{ effect: "safe", message: "is new" }]
          : [
              ...changesOf(was.definition, entry.definition),
              ...taskChanges(was, entry),
              ...rateLimitChanges(was, entry, "may be used"),
              ...descriptionChanges(was.definition, entry.definition),
            ];
      return distinct(found).map((each) => ({ ...each, kind, name }));
    }),
  ];
}

/** A member that is new or gone may take some values away and add others, which is said once. */
function distinct(found: readonly Found[]): Found[] {
  return [...new Map(found.map((each) => [`${each.effect} ${each.message}`, each])).values()];
}

function toolChanges(before: Tool, after: Tool): Found[] {
  const input = schemaChanges(before.inputSchema, after.inputSchema).map((each) => ofArguments(each));
  const [was, is] = [before.outputSchema, after.outputSchema];
  return [
    ...input,
    ...(was !== undefined && is !== undefined ? schemaChanges(was, is).map((each) => ofResult(each)) : []),
    ...(was !== undefined && is === undefined ? [breaking("has no `outputSchema` any more")] : []),
    ...(was === undefined && is !== undefined ? [safe("has an `outputSchema` now")] : []),
    ...HINTS.flatMap((name): Found[] => {
      const [old, now] = [before.annotations?.[name], after.annotations?.[name]];
      if (old === now) return [];
      return [
        {
          effect: "permission",
          message: `says \`${name}\`: ${String(now ?? "nothing")}, before ${String(old ?? "nothing")}`,
        },
      ];
    }),
  ];
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Clients send arguments: fewer that fit is what breaks. */
function ofArguments({ change, path, message }: SchemaChange): Found {
  const isBreaking = change === "fewer" || change === "default" || message === GONE;
  const judged = isBreaking ? "breaking" : change === "more" ? "safe" : "wording";
  const effect = message === NEW ? "safe" : judged;
  return { effect, message: `${path === "" ? "the arguments" : `argument \`${path}\``} ${message}` };
}

/** Clients read results: more that fit is what breaks, and so is what is gone. */
function ofResult({ change, path, message }: SchemaChange): Found {
  const subject = `${path === "" ? "the result" : `\`${path}\` of the result`} ${message}`;
  if (change === "wording" || change === "default") return { effect: "wording", message: subject };
  if (message === GONE) return breaking(subject);
  if (message === NEW || message === NEW_AND_NEEDED) return safe(subject);
  return change === "more" ? breaking(subject) : safe(subject);
}

function promptChanges(before: Prompt, after: Prompt): Found[] {
  const old = new Map((before.arguments ?? []).map((each) => [each.name, each]));
  const now = after.arguments ?? [];
  const gone = [...old.keys()].filter((name) => !now.some((each) => each.name === name));
  return [
    ...gone.map((name) => breaking(`argument \`${name}\` is gone`)),
    ...now.flatMap(({ name, required = false, description, title }): Found[] => {
      const was = old.get(name);
      if (was === undefined) {
        return [
          required
            ? breaking(`argument \`${name}\` is new, and needed`)
            : safe(`argument \`${name}\` is new`),
        ];
      }
      const needed = was.required ?? false;
      return [
        ...(required && !needed ? [breaking(`argument \`${name}\` is needed now`)] : []),
        ...(needed && !required ? [safe(`argument \`${name}\` may be left out now`)] : []),
        ...(description === was.description && title === was.title
          ? []
          : [{ effect: "wording", message: `argument \`${name}\` is described otherwise` } as const]),
      ];
    }),
  ];
}

function resourceChanges(before: Resource | ResourceTemplate, after: Resource | ResourceTemplate): Found[] {
  return [
    ...(before.mimeType === after.mimeType
      ? []
      : [breaking(`is ${after.mimeType ?? "of no MIME type"}, before ${before.mimeType ?? "of none"}`)]),
    ...(before.name === after.name
      ? []
      : [breaking(`has the name \`${after.name}\`, before \`${before.name}\``)]),
  ];
}

/** Who has no tasks gets the result itself of a tool that may be one, and is refused one that has to be. */
function taskChanges({ task: was }: Promised<unknown>, { task: is }: Promised<unknown>): Found[] {
  if (was?.support === is?.support) return [];
  if (is?.support === "required")
    return [breaking("is always a task now: clients of 2026-07-28 need to have tasks")];
  if (is === undefined) return [safe("is no task any more")];
  return [safe(was === undefined ? "may be a task now" : "need not be a task any more")];
}

interface Limited {
  readonly rateLimit?: KnownRateLimit;
}

function rateLimitChanges({ rateLimit: was }: Limited, { rateLimit: is }: Limited, start: string): Found[] {
  if (isDeepStrictEqual(was, is)) return [];
  // Contracts have held numbers alone.
  const [now, before] = [frequency(is, "without such a limit"), frequency(was, "without a known limit")];
  return [{ effect: "permission", message: `${start} ${now}, before ${before}` }];
}

function frequency(limit: KnownRateLimit | undefined, none: string): string {
  if (limit === undefined) return none;
  if (limit === "function") return "as often as a function decides for each caller";
  if (limit === "unknown") return "as often as the running server says";
  return `${count(limit.calls, "time")} in ${limit.windowMs / 1000} s`;
}

/** What all kinds have. */
function descriptionChanges(before: Definition, after: Definition): Found[] {
  const names = (["title", "description", "icons", "_meta"] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  return names.length === 0 ? [] : [{ effect: "wording", message: `has another ${names.join(" and ")}` }];
}

function breaking(message: string): Found {
  return { effect: "breaking", message };
}

function safe(message: string): Found {
  return { effect: "safe", message };
}
