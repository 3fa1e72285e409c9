import type { Conversion } from "@tenon/runtime/manifest";
import { type Definitions, hasReference } from "../json-schema/definitions.js";
import { listInnerConversions, mapConversion } from "./map-conversion.js";
import { joinConversions, type ConvertedFrom } from "./union-conversions.js";

/** Information about recursive types, complete after all of them have been derived. */
interface RecursiveTypes {
  /** The recursive types with values to convert. */
  converting: ReadonlySet<string>;
  defs: Definitions;
  from: ConvertedFrom;
}

/**
 * Removes conversions of recursive types that convert nothing. This is known only after the whole type is derived.
 *
 * @param targets the conversion of each recursive type, by name
 * @param defs the schema of each
 */
export function finalizeConversions(
  root: Conversion | undefined,
  targets: ReadonlyMap<string, Conversion>,
  defs: Definitions,
  from: ConvertedFrom,
): { conversion?: Conversion; conversions?: Record<string, Conversion> } {
  const converting = new Set<string>();
  const known: RecursiveTypes = { converting, defs, from };
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const [name, target] of targets) {
      if (!converting.has(name) && converts(target, converting)) {
        converting.add(name);
        hasGrown = true;
      }
    }
  }
  const conversion = root && prune(root, known);
  const used = new Map<string, Conversion>();
  const visit = (each: Conversion | undefined): void => {
    for (const name of each ? listReferences(each) : []) {
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

/** Returns whether anything remains of a conversion after `prune`, which also computes the conditions of unions. */
function converts(conversion: Conversion, converting: ReadonlySet<string>): boolean {
  if (conversion.kind === "ref") return converting.has(conversion.name);
  const keep = (inner: Conversion): Conversion | undefined =>
    converts(inner, converting) ? inner : undefined;
  return mapConversion(conversion, keep) !== undefined;
}

/** Removes references to types that need no conversion. Returns undefined if nothing remains. */
function prune(conversion: Conversion, known: RecursiveTypes): Conversion | undefined {
  if (conversion.kind === "ref") return known.converting.has(conversion.name) ? conversion : undefined;
  const pruned = mapConversion(conversion, (inner) => prune(inner, known));
  return pruned?.kind === "union" ? finalizeUnion(pruned.branches, known) : pruned;
}

/** Sets the conditions of alternatives with recursive types, which had no definitions when they were joined. */
function finalizeUnion(
  branches: Extract<Conversion, { kind: "union" }>["branches"],
  { defs, from }: RecursiveTypes,
): Conversion | undefined {
  if (!branches.some(({ when }) => hasReference(when))) return { kind: "union", branches };
  const fragments = branches.map(({ when, convert }) => ({
    schema: when,
    ...(convert && { conversion: convert }),
  }));
  return joinConversions(fragments, from, defs);
}

function listReferences(conversion: Conversion): string[] {
  return conversion.kind === "ref"
    ? [conversion.name]
    : listInnerConversions(conversion).flatMap((each) => listReferences(each));
}
