import type { BigintLimits, Conversion } from "@tenon/runtime/manifest";
import { breaking, type ContractChange, safe } from "./effects.js";

/** The limits of bigints by their paths, such as `ids[]`. A bigint without limits has an empty object. */
type LimitsByPath = Readonly<Record<string, BigintLimits>>;

/** The conversions of the values in an input or output. */
export interface Converted {
  readonly conversion?: Conversion;
  readonly conversions?: Record<string, Conversion>;
}

/** The limits of an entry's bigints. Schemas do not contain them, because JSON represents a bigint as a string. */
export interface EntryLimits {
  readonly arguments?: LimitsByPath | undefined;
  readonly result?: LimitsByPath | undefined;
}

/** Returns the limits of the bigints that an entry accepts and returns, or undefined if it has none. */
export function getEntryLimits({
  input,
  output,
}: {
  input?: Converted;
  output?: Converted;
}): EntryLimits | undefined {
  const [accepted, result] = [listLimits(input), listLimits(output)];
  if (accepted === undefined && result === undefined) return undefined;
  return { ...(accepted && { arguments: accepted }), ...(result && { result }) };
}

function listLimits({ conversion, conversions = {} }: Converted = {}): LimitsByPath | undefined {
  const found: Record<string, BigintLimits> = {};
  const visit = (each: Conversion | null | undefined, path: string, outer: readonly string[]): void => {
    if (!each) return;
    switch (each.kind) {
      case "bigint":
        found[path] = each.limits ?? {};
        return;
      case "array":
      case "set":
        visit(each.items, `${path}[]`, outer);
        return;
      case "tuple": {
        const { items, rest, last = [] } = each;
        items.forEach((item, index) => visit(item, `${path}[${index}]`, outer));
        visit(rest, `${path}[]`, outer);
        last.forEach((item, index) => visit(item, `${path}[-${last.length - index}]`, outer));
        return;
      }
      case "map":
        visit(each.keys, `${path}{key}`, outer);
        visit(each.values, `${path}{}`, outer);
        return;
      case "object": {
        const { properties, patterns = [], additional } = each;
        for (const [name, member] of Object.entries(properties))
          visit(member, path === "" ? name : `${path}.${name}`, outer);
        for (const [pattern, member] of patterns) visit(member, `${path}{${pattern}}`, outer);
        visit(additional, `${path}{}`, outer);
        return;
      }
      case "union":
        for (const { convert } of each.branches) visit(convert, path, outer);
        return;
      case "ref":
        // The inner values of a recursive type have the limits of the outer ones.
        if (!outer.includes(each.name)) visit(conversions[each.name], path, [...outer, each.name]);
        return;
      default:
    }
  };
  visit(conversion, "", []);
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Compares the limits of bigints that exist in both versions. For all others, the comparison of schemas reports a change of type. */
export function compareLimits(before: EntryLimits = {}, after: EntryLimits = {}): ContractChange[] {
  return (["arguments", "result"] as const).flatMap((use) => {
    const [earlierByPath, currentByPath] = [before[use] ?? {}, after[use] ?? {}];
    return Object.entries(earlierByPath).flatMap(([path, earlier]): ContractChange[] => {
      const current = currentByPath[path];
      if (current === undefined || formatLimits(earlier) === formatLimits(current)) return [];
      const subject =
        use === "arguments"
          ? `argument \`${path}\``
          : `${path === "" ? "the result" : `\`${path}\` of the result`}`;
      const message = `${subject} has ${formatLimits(current)} (before: ${formatLimits(earlier)})`;
      const isBreaking = use === "arguments" ? isNarrower(current, earlier) : isNarrower(earlier, current);
      return [isBreaking ? breaking(message) : safe(message)];
    });
  });
}

/** Returns whether some values that satisfied the old limits do not satisfy the new ones. */
function isNarrower(current: BigintLimits, earlier: BigintLimits): boolean {
  const [min, minBefore] = [getMin(current), getMin(earlier)];
  const [max, maxBefore] = [getMax(current), getMax(earlier)];
  const hasSameMultiples =
    current.multipleOf === undefined || BigInt(earlier.multipleOf ?? "1") % BigInt(current.multipleOf) === 0n;
  return (
    (min !== undefined && (minBefore === undefined || minBefore < min)) ||
    (max !== undefined && (maxBefore === undefined || maxBefore > max)) ||
    !hasSameMultiples
  );
}

function getMin({ minimum, exclusiveMinimum }: BigintLimits): bigint | undefined {
  const all = [
    ...(minimum ? [BigInt(minimum)] : []),
    ...(exclusiveMinimum ? [BigInt(exclusiveMinimum) + 1n] : []),
  ];
  return all.length === 0 ? undefined : all.reduce((a, b) => (a > b ? a : b));
}

function getMax({ maximum, exclusiveMaximum }: BigintLimits): bigint | undefined {
  const all = [
    ...(maximum ? [BigInt(maximum)] : []),
    ...(exclusiveMaximum ? [BigInt(exclusiveMaximum) - 1n] : []),
  ];
  return all.length === 0 ? undefined : all.reduce((a, b) => (a < b ? a : b));
}

function formatLimits(limits: BigintLimits): string {
  const texts = Object.entries(limits)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name} ${value}`);
  return texts.length === 0 ? "no limits" : `the limits ${texts.join(" and ")}`;
}
