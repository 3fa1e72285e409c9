import type { BigintLimits, Conversion, JsonSchema } from "@tenon/runtime/manifest";
import type { DocTag } from "../../jsdoc/doc-comment.js";
import { readWholeNumber } from "../../jsdoc/tag-values.js";
import type { SchemaFragment } from "../../json-schema/fragment.js";
import { findKeyword, type NumberLimitName } from "../../json-schema/keywords.js";
import { reportInvalid, type Target } from "./constraint.js";
import { describeFileLimits } from "./file-limits.js";

/**
 * Adds a limit to a `bigint`, which JSON represents as a string. There, keywords such as `minimum` do not apply, so the
 * server checks them during conversion, and clients read them in the description.
 *
 * @returns undefined if the tag is not a limit or the type is not a bigint
 */
export function addBigintLimit(
  fragment: SchemaFragment,
  tag: DocTag,
  target: Target,
): SchemaFragment | undefined {
  const { schema, conversion } = fragment;
  if (!conversion || !hasBigint(conversion)) return undefined;
  if (tag.name === "integer") return fragment;
  if (!isLimit(tag.name)) return undefined;
  const value = readWholeNumber(tag.text);
  const isFactor = findKeyword(tag.name)?.data === "positive";
  if (value === undefined || (isFactor && value <= 0n)) {
    reportInvalid(schema, tag, target, isFactor ? "a whole number above 0" : "a whole number");
    return fragment;
  }
  const limited = withLimit(conversion, tag.name, String(value));
  reportContradiction(getLimits(limited), target);
  return { ...fragment, conversion: limited };
}

/** Describes the limits that a schema cannot express. They replace the sentence for the previous limits. */
export function describeLimits(
  description: string | undefined,
  { conversion }: SchemaFragment,
  before: SchemaFragment,
): Pick<JsonSchema, "description"> {
  const [sentence, previous] = [conversion, before.conversion].map((each) =>
    each ? toSentences(getLimits(each)) || describeFileLimits(each) : "",
  );
  const text =
    previous && description?.endsWith(previous)
      ? description.slice(0, -previous.length).trimEnd()
      : description;
  const all = [text, sentence].filter(Boolean).join("\n");
  return all ? { description: all } : {};
}

function toSentences(limits: BigintLimits): string {
  const sentences = Object.entries(limits).map(([name, value]) =>
    findKeyword(name)?.toSentence?.(value as never),
  );
  return sentences.join(" ");
}

function isLimit(name: string): name is NumberLimitName {
  const { isLimit: limits = false, of } = findKeyword(name) ?? {};
  return limits && of?.[0] === "number";
}

function hasBigint(conversion: Conversion): boolean {
  if (conversion.kind !== "union") return conversion.kind === "bigint";
  return conversion.branches.some(({ convert }) => convert?.kind === "bigint");
}

/** Returns the limits of a bigint, or of the first one in a union: all of them have the same limits. */
function getLimits(conversion: Conversion): BigintLimits {
  if (conversion.kind === "bigint") return conversion.limits ?? {};
  if (conversion.kind !== "union") return {};
  const own = conversion.branches.find(({ convert }) => convert?.kind === "bigint")?.convert;
  return own ? getLimits(own) : {};
}

function withLimit(conversion: Conversion, name: keyof BigintLimits, value: string): Conversion {
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
    where: derivation.describeSite(site),
    lower: `minimum ${minimum}`,
    upper: `maximum ${maximum}`,
  });
}
