import type { BigintLimits, Conversion, Input } from "@tenon/runtime/manifest";
import { breaking, type JudgedChange, safe } from "./effects.js";

/** The limits of the bigints among arguments, by their paths, such as `ids[]`. A bigint without limits has none. */
export type LimitsByPath = Readonly<Record<string, BigintLimits>>;

/** Lists the limits of bigints. No schema has them, because JSON represents a bigint as a string. */
export function listBigintLimits({
  conversion,
  conversions = {},
}: Pick<Input, "conversion" | "conversions"> = {}): LimitsByPath | undefined {
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

/** Returns the differences between the limits of bigints that both versions have. Others have another type as well. */
export function compareBigintLimits(before: LimitsByPath = {}, after: LimitsByPath = {}): JudgedChange[] {
  return Object.entries(before).flatMap(([path, was]): JudgedChange[] => {
    const is = after[path];
    if (is === undefined || formatLimits(was) === formatLimits(is)) return [];
    const message = `argument \`${path}\` has ${formatLimits(is)} (before: ${formatLimits(was)})`;
    return [isNarrower(is, was) ? breaking(message) : safe(message)];
  });
}

/** Returns whether some values that satisfied the old limits do not satisfy the new ones. */
function isNarrower(is: BigintLimits, was: BigintLimits): boolean {
  const [least, leastBefore] = [getMin(is), getMin(was)];
  const [most, mostBefore] = [getMax(is), getMax(was)];
  const isMultiple =
    is.multipleOf === undefined || BigInt(was.multipleOf ?? "1") % BigInt(is.multipleOf) === 0n;
  return (
    (least !== undefined && (leastBefore === undefined || leastBefore < least)) ||
    (most !== undefined && (mostBefore === undefined || mostBefore > most)) ||
    !isMultiple
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
