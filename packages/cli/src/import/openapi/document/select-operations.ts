import { Failure } from "../../../terminal/failure.js";
import { nearestName } from "@tenon/runtime/nearest-name";
import type { Operation } from "./operations.js";

export interface Selection {
  /** Such as `GET /pets*`, `/pets/{petId}` or the id of an operation. */
  readonly only?: readonly string[];
  readonly tag?: readonly string[];
  /** Deprecated operations, too. */
  readonly deprecated?: boolean;
}

/**
 * The operations that are asked for.
 *
 * @throws Failure for a pattern or a tag that no operation has
 */
export function selectOperations(
  operations: readonly Operation[],
  { only = [], tag = [], deprecated = false }: Selection,
): { readonly chosen: readonly Operation[]; readonly deprecated: number } {
  const patterns = only.map((text) => ({ text, matches: patternOf(text) }));
  for (const { text, matches } of patterns) {
    if (!operations.some(matches))
      throw new Failure(`--only ${JSON.stringify(text)} fits no operation.`, {
        hint: "It is a method and a path, or an operation's id, with `*` for anything: 'GET /pets*'.",
        exitCode: 2,
      });
  }
  const tags = new Set(tag.map((each) => each.toLowerCase()));
  const known = new Map(operations.flatMap(({ tags: own }) => own.map((each) => [each.toLowerCase(), each])));
  for (const each of tags) {
    if (known.has(each)) continue;
    const nearest = nearestName(each, [...known.keys()]);
    throw new Failure(`No operation has the tag ${JSON.stringify(each)}.`, {
      hint:
        nearest === undefined
          ? `There are: ${[...known.values()].slice(0, 30).join(", ")}.`
          : `Did you mean ${known.get(nearest) ?? nearest}?`,
      exitCode: 2,
    });
  }
  const asked = operations.filter(
    (operation) =>
      (patterns.length === 0 || patterns.some(({ matches }) => matches(operation))) &&
      (tags.size === 0 || operation.tags.some((each) => tags.has(each.toLowerCase()))),
  );
  const chosen = asked.filter(({ isDeprecated }) => deprecated || !isDeprecated);
  return { chosen, deprecated: asked.length - chosen.length };
}

function patternOf(text: string): (operation: Operation) => boolean {
  const [, method, rest = ""] = /^(?:([A-Za-z]+|\*)\s+)?(.*)$/.exec(text.trim()) ?? [];
  const wanted = method === undefined || method === "*" ? undefined : method.toUpperCase();
  const pattern = new RegExp(
    `^${rest
      .split("*")
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
  );
  return ({ method: own, path, id }) =>
    (wanted === undefined || wanted === own) &&
    (pattern.test(path) || (id !== undefined && pattern.test(id)));
}
