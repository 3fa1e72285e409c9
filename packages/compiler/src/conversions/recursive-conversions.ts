import type { Conversion } from "@tenon/runtime/manifest";
import { type Definitions, refers } from "../json-schema/definitions.js";
import { innerConversions, mapConversion } from "./map-conversion.js";
import { joinConversions, type ConvertedFrom } from "./union-conversions.js";

/** What is known of recursive types once all of them have been seen. */
interface Targets {
  /** Those that convert something. */
  converting: ReadonlySet<string>;
  defs: Definitions;
  from: ConvertedFrom;
}

/**
 * Conversions of recursive types, without those that convert nothing: whether a type that contains itself needs
 * one is known only when all of it has been seen.
 *
 * @param targets the conversion of each recursive type, by name
 * @param defs the schema of each
 */
export function settleConversions(
  root: Conversion | undefined,
  targets: ReadonlyMap<string, Conversion>,
  defs: Definitions,
  from: ConvertedFrom,
): { conversion?: Conversion; conversions?: Record<string, Conversion> } {
  const converting = new Set<string>();
  const known: Targets = { converting, defs, from };
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, target] of targets) {
      if (!converting.has(name) && prune(target, known)) {
        converting.add(name);
        grown = true;
      }
    }
  }
  const conversion = root && prune(root, known);
  const used = new Map<string, Conversion>();
  const visit = (each: Conversion | undefined): void => {
    for (const name of each ? referencesIn(each) : []) {
      const target = targets.get(name);
      const pruned = used.has(name) ? undefined : target && prune(target, known);
      if (pruned) visit((used.set(name, pruned), pruned));
    }
  };
  visit(conversion);
  return {
    ...(conversion && { conversion }),
    ...(used.size > 0 && { conversions: Object.fromEntries(used) }),
  };
}

/** The conversion without references to what converts nothing; undefined when nothing remains. */
function prune(conversion: Conversion, known: Targets): Conversion | undefined {
  if (conversion.kind === "ref") return known.converting.has(conversion.name) ? conversion : undefined;
  const pruned = mapConversion(conversion, (inner) => prune(inner, known));
  return pruned?.kind === "union" ? settledUnion(pruned.branches, known) : pruned;
}

/** The conditions of alternatives that refer to recursive types, which had no definition when they were joined. */
function settledUnion(
  branches: Extract<Conversion, { kind: "union" }>["branches"],
  { defs, from }: Targets,
): Conversion | undefined {
  if (!branches.some(({ when }) => refers(when))) return { kind: "union", branches };
  const fragments = branches.map(({ when, convert }) => ({
    schema: when,
    ...(convert && { conversion: convert }),
  }));
  return joinConversions(fragments, from, defs);
}

function referencesIn(conversion: Conversion): string[] {
  return conversion.kind === "ref"
    ? [conversion.name]
    : innerConversions(conversion).flatMap((each) => referencesIn(each));
}
