import type { JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../../project/typescript.js";
import { enumeration } from "../../json-schema/enumeration.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { constantValue, unwrapped } from "../../project/constant.js";
import { isOwnNode } from "../../project/nodes.js";
import { type Derivation, type TypeRule, type TypeSite } from "../derivation.js";

/** The value of a literal type; undefined for all others. Bigints have none, since JSON writes them as text. */
export function literalValue(type: ts.Type): string | number | boolean | undefined {
  if (type.isStringLiteral() || (type.isNumberLiteral() && Number.isFinite(type.value))) return type.value;
  if (type.flags & ts.TypeFlags.BooleanLiteral) {
    return (type as { intrinsicName?: string }).intrinsicName === "true";
  }
  return undefined;
}

/** String, number, boolean and bigint literals and enum members. */
export const literals: TypeRule = (type, site, derivation) => {
  const value = literalValue(type);
  if (value !== undefined) return { schema: enumeration([value]) };
  // `enum Limit { None = 1 / 0 }`: JSON has no such number.
  if (type.isNumberLiteral()) return NEVER;
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    const text = bigintText(type as ts.BigIntLiteralType);
    return { schema: enumeration([text]), conversion: { kind: "bigint" } };
  }
  return type.flags & ts.TypeFlags.Enum && !type.isUnion() ? computedEnum(type, site, derivation) : undefined;
};

/** An enum, or a member of one, whose values the checker does not compute: it takes them all for numbers. */
function computedEnum(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const { checker } = derivation;
  const members = (type.symbol.declarations ?? []).flatMap((each) =>
    ts.isEnumDeclaration(each) ? [...each.members] : ts.isEnumMember(each) ? [each] : [],
  );
  const values = members.map((each) => memberValue(each, checker));
  const unknown = members[values.indexOf("unknown")];
  if (unknown) {
    derivation.report("type-enum-not-constant", isOwnNode(unknown) ? unknown : site.node, {
      where: derivation.where(site),
      member: `${unknown.parent.name.text}.${unknown.name.getText()}`,
    });
    return UNSUPPORTED;
  }
  const known = values.flatMap((each) => (typeof each === "object" ? [each.value] : []));
  return {
    schema: known.length === members.length && known.length > 0 ? enumeration(known) : { type: "number" },
  };
}

/** What the checker says is a number may be any; of what it was told to believe (`as any`) nothing is known. */
function memberValue(
  member: ts.EnumMember,
  checker: ts.TypeChecker,
): { value: JsonValue } | "number" | "unknown" {
  const { initializer } = member;
  const value = checker.getConstantValue(member);
  if (value !== undefined) return { value };
  if (!initializer) return "number";
  const constant = constantValue(initializer, checker);
  if (typeof constant?.value === "string" || typeof constant?.value === "number") return constant;
  const written = checker.getTypeAtLocation(unwrapped(initializer));
  return written.flags & ts.TypeFlags.NumberLike ? "number" : "unknown";
}

function bigintText({ value }: ts.BigIntLiteralType): string {
  return `${value.negative ? "-" : ""}${value.base10Value}`;
}
