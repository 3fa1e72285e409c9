import { findNearestName } from "@tenon/runtime/nearest-name";
import { Failure } from "../../../terminal/failure.js";
import type { Operation } from "./operations.js";

/** The options that select operations. */
export interface Selection {
  /** Patterns, such as `GET /pets*`, `/pets/{petId}`, or the ID of an operation. */
  readonly only?: readonly string[];
  readonly tag?: readonly string[];
  /** Whether to select deprecated operations as well. */
  readonly deprecated?: boolean;
}

/**
 * Returns the selected operations, and the number of deprecated ones that were omitted.
 *
 * @throws Failure for a pattern or a tag that matches no operation
 */
export function selectOperations(
  operations: readonly Operation[],
  { only = [], tag = [], deprecated = false }: Selection,
): { readonly selected: readonly Operation[]; readonly deprecatedCount: number } {
  const patterns = only.map((text) => {
    const matches = parseOperationPattern(text);
    if (operations.some(matches)) return matches;
    throw new Failure(`--only ${JSON.stringify(text)} matches no operation.`, {
      hint: "Use a method and a path, or an operation ID, with `*` as a wildcard, such as 'GET /pets*'.",
      exitCode: 2,
    });
  });
  const tags = new Set(tag.map((each) => each.toLowerCase()));
  const known = new Map(operations.flatMap((each) => each.tags.map((name) => [name.toLowerCase(), name])));
  for (const each of tags) if (!known.has(each)) throw createUnknownTagFailure(each, known);
  const matching = operations.filter(
    (operation) =>
      (patterns.length === 0 || patterns.some((matches) => matches(operation))) &&
      (tags.size === 0 || operation.tags.some((each) => tags.has(each.toLowerCase()))),
  );
  const selected = matching.filter(({ isDeprecated }) => deprecated || !isDeprecated);
  return { selected, deprecatedCount: matching.length - selected.length };
}

function createUnknownTagFailure(tag: string, known: ReadonlyMap<string, string>): Failure {
  const nearest = findNearestName(tag, [...known.keys()]);
  const tags = [...known.values()].slice(0, 30);
  const others =
    tags.length === 0
      ? "The operations of the document have no tags."
      : `The document has these tags: ${tags.join(", ")}.`;
  const hint = nearest === undefined ? others : `Did you mean ${known.get(nearest) ?? nearest}?`;
  return new Failure(`No operation has the tag ${JSON.stringify(tag)}.`, { hint, exitCode: 2 });
}

function parseOperationPattern(text: string): (operation: Operation) => boolean {
  const [, method, rest = ""] = /^(?:([A-Za-z]+|\*)\s+)?(.*)$/.exec(text.trim()) ?? [];
  const expectedMethod = method === undefined || method === "*" ? undefined : method.toUpperCase();
  const literals = rest.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${literals.join(".*")}$`);
  return ({ method: own, path, id = "" }) =>
    (expectedMethod === undefined || expectedMethod === own) &&
    (pattern.test(path) || (id !== "" && pattern.test(id)));
}
