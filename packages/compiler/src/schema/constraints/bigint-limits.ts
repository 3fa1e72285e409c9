import type { BigintLimits, Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readWhole } from "../../jsdoc/tag-values.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { keyword } from "../../json-schema/keywords.js";
import { invalid, type Target } from "./constraint.js";

type Limit = keyof BigintLimits;

const LIMITS: Record<Limit, true> = {
  minimum: true,
  maximum: true,
  exclusiveMinimum: true,
  exclusiveMaximum: true,
  multipleOf: true,
};

/**
 * A fragment with the limits of a `bigint`, which JSON writes as a string: `minimum` and its like are about numbers
 * alone there, so that the server checks them with the conversion, and clients read of them in the description.
 *
 * @returns undefined where the tag is no limit, or the type no bigint
 */
export function bigintLimit(
  fragment: SchemaFragment,
  tag: DocTag,
  target: Target,
): SchemaFragment | undefined {
  const { schema, conversion } = fragment;
  if (!conversion || !hasBigint(conversion)) return undefined;
  if (tag.name === "integer") return fragment;
  if (!isLimit(tag.name)) return undefined;
  const value = readWhole(tag.text);
  const isFactor = tag.name === "multipleOf";
  if (value === undefined || (isFactor && value <= 0n)) {
    invalid(schema, tag, target, isFactor ? "a whole number above 0" : "a whole number");
    return fragment;
  }
  const limited = withLimit(conversion, tag.name, String(value));
  reportContradiction(limitsOf(limited), target);
  return { ...fragment, conversion: limited };
}

/** A description with the limits that a schema cannot say; those of the type before are said once. */
export function describeLimits(
  description: string | undefined,
  { conversion }: SchemaFragment,
  before: SchemaFragment,
): Pick<JsonSchema, "description"> {
  const [told, known] = [conversion, before.conversion].map((each) => inWords(each ? limitsOf(each) : {}));
  const text =
    known && description?.endsWith(known) ? description.slice(0, -known.length).trimEnd() : description;
  const all = [text, told].filter(Boolean).join("\n");
  return all ? { description: all } : {};
}

function inWords(limits: BigintLimits): string {
  const sentences = Object.entries(limits).map(([name, value]) => keyword(name)?.inWords?.(value as never));
  return sentences.join(" ");
}

function isLimit(name: string): name is Limit {
  return Object.hasOwn(LIMITS, name);
}

function hasBigint(conversion: Conversion): boolean {
  if (conversion.kind !== "union") return conversion.kind === "bigint";
  return conversion.branches.some(({ convert }) => convert?.kind === "bigint");
}

/** All bigints among the alternatives have the same ones. */
function limitsOf(conversion: Conversion): BigintLimits {
  if (conversion.kind === "bigint") return conversion.limits ?? {};
  if (conversion.kind !== "union") return {};
  const own = conversion.branches.find(({ convert }) => convert?.kind === "bigint")?.convert;
  return own ? limitsOf(own) : {};
}

function withLimit(conversion: Conversion, name: Limit, value: string): Conversion {
  if (conversion.kind === "bigint")
    return { kind: "bigint", limits: { ...conversion.limits, [name]: value } };
  if (conversion.kind !== "union") return conversion;
  const branches = conversion.branches.map(({ when, convert }) => ({
    when,
    convert: convert && withLimit(convert, name, value),
  }));
  return { kind: "union", branches };
}

function reportContradiction({ minimum, maximum }: BigintLimits, { site, derivation, report }: Target): void {
  if (minimum === undefined || maximum === undefined || BigInt(minimum) <= BigInt(maximum)) return;
  report("constraint-contradiction", site.node, {
    where: derivation.where(site),
    lower: `minimum ${minimum}`,
    upper: `maximum ${maximum}`,
  });
}
