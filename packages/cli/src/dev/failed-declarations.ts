import type { AffectedDeclarations, Compilation, Diagnostic } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { listDeclaredEntries } from "../project/declared-entries.js";
import { formatErrors } from "../terminal/print-diagnostics.js";
import type { FailedDeclaration } from "./process/failed-calls.js";

/** The declarations of a server that cannot be called because their sources have errors. */
export interface FailedDeclarations {
  /** The failed declarations. Calls to them return their errors. */
  declarations: FailedDeclaration[];
  /** The names of the failed declarations. */
  names: string[];
  /** Whether every error belongs to a declaration, so that everything else can be served. */
  isComplete: boolean;
}

/** The value without failed declarations. */
export const NO_FAILURES: FailedDeclarations = { declarations: [], names: [], isComplete: true };

type Name = AffectedDeclarations["declarations"][number]["name"];

const METHODS = {
  tool: "tools/call",
  prompt: "prompts/get",
  resource: "resources/read",
  "resource template": "resources/read",
} as const;

/**
 * Finds the declarations that cannot be called, from the diagnostics of a compilation.
 *
 * @param served the manifest that clients know, which has the URIs of declarations that currently do not compile
 */
export function findFailedDeclarations(
  { findAffected, manifest }: Compilation,
  diagnostics: readonly Diagnostic[],
  served: Manifest | undefined,
): FailedDeclarations {
  const found: AffectedDeclarations = findAffected?.(diagnostics) ?? {
    declarations: [],
    others: [...diagnostics],
    declared: [],
  };
  const entries = [served, manifest].flatMap((each) => (each ? listEntries(each) : []));
  const lost = served && findAffected ? findLostDeclarations(listEntries(served), found, diagnostics) : [];
  const declarations = [...found.declarations, ...lost].map(({ name, errors }): FailedDeclaration => {
    const entry = entries.find((each) => each.name.kind === name.kind && each.name.name === name.name);
    return {
      method: METHODS[name.kind],
      target: entry?.target ?? name.name,
      problem: `\`${name.name}\` has errors in its source. Fix them, then call it again.\n\n${formatErrors(errors)}`,
    };
  });
  const names = [...found.declarations, ...lost].map(({ name }) => name.name);
  return { declarations, names: [...new Set(names)], isComplete: found.others.length === 0 };
}

/**
 * Adds the failed declarations of the version that keeps serving. Their errors are still in it, even if the current sources
 * no longer have them.
 *
 * @param problem the reason why the current sources cannot be served
 */
export function withEarlierFailures(
  failed: FailedDeclarations,
  earlier: FailedDeclarations,
  problem: string,
): FailedDeclarations {
  const added = earlier.declarations
    .filter(({ method, target }) =>
      failed.declarations.every((each) => each.method !== method || each.target !== target),
    )
    .map((each) => ({
      ...each,
      problem: `\`${each.target}\` is not served until other errors are fixed.\n\n${problem}`,
    }));
  return {
    ...failed,
    declarations: [...failed.declarations, ...added],
    names: [...new Set([...failed.names, ...earlier.names])],
  };
}

/** Returns whether no declaration can be called. */
export function hasNoWorkingEntries(
  { declarations }: FailedDeclarations,
  manifest: Manifest | undefined,
): boolean {
  return manifest === undefined || getTargets(manifest).every((target) => hasFailed(declarations, target));
}

/** Returns whether the manifest lists all failed declarations. */
export function areAllListed({ declarations }: FailedDeclarations, manifest: Manifest): boolean {
  const listed = getTargets(manifest);
  return declarations.every(({ target }) => listed.includes(target));
}

/** Returns whether every error belongs to a skill. */
export function hasOnlySkillErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(({ severity, skill }) => severity !== "error" || skill !== undefined);
}

function hasFailed(declarations: FailedDeclarations["declarations"], target: string): boolean {
  return declarations.some((each) => each.target === target);
}

function getTargets(manifest: Manifest): string[] {
  return listEntries(manifest).map(({ target }) => target);
}

interface ListedEntry {
  name: Name;
  module: string;
  /** The name or URI in the lists. */
  target: string;
}

function listEntries(manifest: Manifest): ListedEntry[] {
  return listDeclaredEntries(manifest).map(({ kind, name: target, entry: { definition, handler } }) => {
    return { name: { kind, name: definition.name }, module: handler.module, target };
  });
}

/** Finds declarations that were served from a file with errors, where the parser no longer finds them. */
function findLostDeclarations(
  served: readonly ListedEntry[],
  { declared }: AffectedDeclarations,
  diagnostics: readonly Diagnostic[],
): AffectedDeclarations["declarations"] {
  return served.flatMap(({ name, module }) => {
    if (declared.some((each) => each.kind === name.kind && each.name === name.name)) return [];
    const errors = diagnostics.filter(({ severity, span }) => severity === "error" && span?.file === module);
    return errors.length > 0 ? [{ name, errors }] : [];
  });
}
