import { type Conversion, type FileLimits, isScalarConversion } from "@tenon/runtime/manifest";

/**
 * Replaces each conversion directly inside another.
 *
 * @param change returns the replacement, or undefined if JSON remains unchanged
 * @returns undefined if there is nothing left to convert
 * @example
 * mapConversion({ kind: "array", items: { kind: "date" } }, () => ({ kind: "url" }))
 * // { kind: "array", items: { kind: "url" } }
 */
export function mapConversion(
  conversion: Conversion,
  change: (inner: Conversion) => Conversion | undefined,
): Conversion | undefined {
  const changed = (inner: Conversion | null | undefined): Conversion | null =>
    (inner && change(inner)) ?? null;
  if (isScalarConversion(conversion)) return conversion;
  switch (conversion.kind) {
    case "ref":
      return conversion;
    case "array": {
      const items = change(conversion.items);
      return items && { kind: "array", items };
    }
    case "tuple": {
      const [items, rest] = [conversion.items.map(changed), changed(conversion.rest)];
      const last = conversion.last?.map(changed);
      const { defaults } = conversion;
      if (![...items, rest, ...(last ?? []), defaults].some(Boolean)) return undefined;
      return {
        kind: "tuple",
        items,
        ...(rest && { rest }),
        ...(last && { last }),
        ...(defaults && { defaults }),
      };
    }
    case "set": {
      const items = changed(conversion.items);
      return { kind: "set", ...(items && { items }) };
    }
    case "map": {
      const { keys, values, ...whole } = conversion;
      const [key, value] = [changed(keys), changed(values)];
      return { ...whole, ...(key && { keys: key }), ...(value && { values: value }) };
    }
    case "object":
      return mapObject(conversion, changed);
    case "union": {
      const branches = conversion.branches.map(({ when, convert }) => ({ when, convert: changed(convert) }));
      return branches.some(({ convert }) => convert) ? { kind: "union", branches } : undefined;
    }
    default:
      return conversion satisfies never;
  }
}

function mapObject(
  { properties, patterns = [], additional }: Extract<Conversion, { kind: "object" }>,
  changed: (inner: Conversion | null | undefined) => Conversion | null,
): Conversion | undefined {
  const rest = changed(additional);
  const keys = patterns.map(([pattern, each]): [string, Conversion | null] => [pattern, changed(each)]);
  const members = Object.entries(properties).map(([name, each]) => [name, changed(each)] as const);
  const byPattern = keys.some(([, each]) => each);
  const hasFreeNames = rest !== null || byPattern;
  if (!hasFreeNames && !members.some(([, each]) => each)) return undefined;
  return {
    kind: "object",
    // If members may have any name, those without a conversion must be listed too.
    properties: Object.fromEntries(members.filter(([, each]) => each ?? hasFreeNames)),
    ...(byPattern && { patterns: keys }),
    ...(rest && { additional: rest }),
  };
}

/** Returns the conversions directly inside another. */
export function listInnerConversions(conversion: Conversion): Conversion[] {
  const inner: Conversion[] = [];
  mapConversion(conversion, (each) => {
    inner.push(each);
    return each;
  });
  return inner;
}

/**
 * Returns whether a conversion creates a file, or contains one that does.
 *
 * @param matches returns whether a file with these limits counts
 */
export function containsFile(
  conversion: Conversion,
  matches: (limits: FileLimits) => boolean = () => true,
): boolean {
  if (conversion.kind === "file") return matches(conversion.file ?? {});
  return listInnerConversions(conversion).some((each) => containsFile(each, matches));
}
