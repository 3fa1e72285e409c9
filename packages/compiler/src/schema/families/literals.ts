import type { JsonValue } from "@tenon/runtime/manifest";
import { ts } from "../../typescript/typescript.js";
import { getLiteralValue } from "../../typescript/literal-value.js";
import { createEnum } from "../../json-schema/enumeration.js";
import { NEVER, UNSUPPORTED, type SchemaFragment } from "../../json-schema/fragment.js";
import { evaluateConstant, unwrap } from "../../typescript/constant.js";
import { isOwnNode } from "../../typescript/nodes.js";
import { type Derivation, type TypeRule, type TypeSite } from "../derivation/derivation.js";

/** Derives string, number, boolean, and bigint literals and enum members. */
export const literals: TypeRule = (type, site, derivation) => {
  const value = getLiteralValue(type);
  if (value !== undefined) return { schema: createEnum([value]) };
  // For `enum Limit { None = 1 / 0 }`, JSON has no such number.
  if (type.isNumberLiteral()) return NEVER;
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    const text = formatBigint(type as ts.BigIntLiteralType);
    return { schema: createEnum([text]), conversion: { kind: "bigint" } };
  }
  return type.flags & ts.TypeFlags.Enum && !type.isUnion()
    ? deriveComputedEnum(type, site, derivation)
    : undefined;
};

/** Derives an enum or member with values that the checker does not compute. The checker treats them all as numbers. */
function deriveComputedEnum(type: ts.Type, site: TypeSite, derivation: Derivation): SchemaFragment {
  const { checker } = derivation;
  const members = (type.symbol.declarations ?? []).flatMap((each) =>
    ts.isEnumDeclaration(each) ? [...each.members] : ts.isEnumMember(each) ? [each] : [],
  );
  const values = members.map((each) => getMemberValue(each, checker));
  const unknown = members[values.indexOf("unknown")];
  if (unknown) {
    derivation.report("type-enum-not-constant", isOwnNode(unknown) ? unknown : site.node, {
      where: derivation.describeSite(site),
      member: `${unknown.parent.name.text}.${unknown.name.getText()}`,
    });
    return UNSUPPORTED;
  }
  const known = values.flatMap((each) => (typeof each === "object" ? [each.value] : []));
  return {
    schema: known.length === members.length && known.length > 0 ? createEnum(known) : { type: "number" },
  };
}

/**
 * Returns the value of a member. Without a known value, it is `"number"` if the initializer has that type, and
 * `"unknown"` if a type assertion such as `as any` hides its type.
 */
function getMemberValue(
  member: ts.EnumMember,
  checker: ts.TypeChecker,
): { value: JsonValue } | "number" | "unknown" {
  const { initializer } = member;
  const value = checker.getConstantValue(member);
  if (value !== undefined) return { value };
  if (!initializer) return "number";
  const constant = evaluateConstant(initializer, checker);
  if (typeof constant?.value === "string" || typeof constant?.value === "number") return constant;
  const written = checker.getTypeAtLocation(unwrap(initializer));
  return written.flags & ts.TypeFlags.NumberLike ? "number" : "unknown";
}

function formatBigint({ value }: ts.BigIntLiteralType): string {
  return `${value.negative ? "-" : ""}${value.base10Value}`;
}
