import type { SchemaFragment } from "../../json-schema/fragment.js";
import { createEnum } from "../../json-schema/enumeration.js";
import { ts } from "../../typescript/typescript.js";

/** The members of a union that are one enum of bit flags. */
export interface Flags {
  members: ReadonlySet<ts.Type>;
  fragment: SchemaFragment;
}

const BIT_OPERATORS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.LessThanLessThanToken,
  ts.SyntaxKind.BarToken,
]);

/** Maximum number of sums that an `enum` lists. */
const MAX_SUMS = 64;

/**
 * Finds the enums of bit flags whose members are all in a union, such as `enum Access { Read = 1, Write = 2, Run = 4 }`.
 * TypeScript accepts `Access.Read | Access.Write` for them, which is not the value of a member.
 */
export function findFlags(types: readonly ts.Type[], checker: ts.TypeChecker): Flags[] {
  const enums = new Map<ts.Type, ts.EnumDeclaration[]>();
  for (const type of types) {
    const member = type.flags & ts.TypeFlags.EnumLiteral ? type.symbol?.valueDeclaration : undefined;
    if (!member || !ts.isEnumMember(member)) continue;
    const symbol = checker.getSymbolAtLocation(member.parent.name);
    if (symbol)
      enums.set(
        checker.getDeclaredTypeOfSymbol(symbol),
        (symbol.declarations ?? []).filter((each) => ts.isEnumDeclaration(each)),
      );
  }
  return [...enums].flatMap(([type, declarations]) => {
    const members = new Set(type.isUnion() ? type.types : [type]);
    if (![...members].every((each) => types.includes(each))) return [];
    const fragment = deriveFlags(declarations, checker);
    return fragment ? [{ members, fragment }] : [];
  });
}

/** Derives the sums of flags. Returns undefined if the members of the enum are not flags. */
function deriveFlags(
  declarations: readonly ts.EnumDeclaration[],
  checker: ts.TypeChecker,
): SchemaFragment | undefined {
  const members = declarations.flatMap((each) => [...each.members]);
  const named = members.map((each): [string, unknown] => [
    each.name.getText().replaceAll(/^["']|["']$/g, ""),
    checker.getConstantValue(each),
  ]);
  const values = named.map(([, value]) => value);
  if (!values.every((value) => typeof value === "number" && Number.isInteger(value) && value >= 0))
    return undefined;
  const numbers = values as number[];
  const bits = [...new Set(numbers.filter(isBit))].sort((a, b) => a - b);
  const mask = bits.reduce((sum, bit) => sum + bit, 0);
  // Bitwise operators of JavaScript are limited to 31 positive bits.
  if (bits.length < 2 || mask >= 2 ** 31 || !numbers.every((value) => (value & ~mask) === 0))
    return undefined;
  if (!areWrittenAsBits(members) && !(bits[0] === 1 && !areConsecutive(numbers))) return undefined;
  const flags = named
    .filter(([, value]) => isBit(value as number))
    .map(([name, value]) => `${String(value)} (${name})`);
  const note = `A sum of flags: ${flags.join(", ")}`;
  return { schema: { ...describeSums(bits, mask), description: note }, note };
}

/** Returns the schema of all sums of bits: a range if there are no gaps between the bits, and otherwise a list. */
function describeSums(bits: readonly number[], mask: number): SchemaFragment["schema"] {
  const [lowest = 1] = bits;
  const hasGaps = mask / lowest !== 2 ** bits.length - 1;
  if (hasGaps && 2 ** bits.length <= MAX_SUMS) return createEnum(listSums(bits));
  return { type: "integer", minimum: 0, maximum: mask, ...(lowest > 1 && { multipleOf: lowest }) };
}

function listSums([bit, ...others]: readonly number[]): number[] {
  if (bit === undefined) return [0];
  return listSums(others).flatMap((sum) => [sum, sum + bit]);
}

function isBit(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

/** Returns whether a member has an initializer such as `1 << 2` or `Read | Write`. */
function areWrittenAsBits(members: readonly ts.EnumMember[]): boolean {
  return members.some(
    ({ initializer }) =>
      initializer && ts.isBinaryExpression(initializer) && BIT_OPERATORS.has(initializer.operatorToken.kind),
  );
}

function areConsecutive(numbers: readonly number[]): boolean {
  return Math.max(...numbers) - Math.min(...numbers) < new Set(numbers).size;
}
