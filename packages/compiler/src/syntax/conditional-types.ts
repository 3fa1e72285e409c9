/**
 * Conditional types, and the branches that the author's types select. With `type Item<T> = T extends (infer U)[] ? U : never`,
 * `Item<Count[]>` selects the branch `U`, which is `Count`.
 * @module
 */
import { ts } from "../typescript/typescript.js";
import { matchPattern, UNDECIDED } from "./infer-patterns.js";
import {
  inheritDeclarations,
  type Step,
  type TypeBindings,
  type TypeResolver,
  toUnion,
  type TypeExpressionOf,
  type WrittenType,
} from "./written-type.js";

/** Follows a conditional type to its branch; for a union, to the branches of its alternatives. */
export function followConditional(
  written: TypeExpressionOf<ts.ConditionalTypeNode>,
  resolver: TypeResolver,
): Step {
  const { node, bindings } = written;
  const check: WrittenType = { node: node.checkType, bindings };
  const parameter = findNamedTypeParameter(node.checkType, resolver.checker);
  const branches = parameter
    ? findBranches(check, written, parameter, resolver)
    : findBranch(check, written, undefined, resolver);
  const taken = branches?.filter(
    (each) => resolver.resolveToAlias(each).node.kind !== ts.SyntaxKind.NeverKeyword,
  );
  if (!branches || !taken) return { kind: "unfollowed", node };
  const [never] = branches;
  if (taken.length === 0) return never ?? { kind: "leaf" };
  // Types such as `Exclude<T, null>` select values of `T`, so comments on `T` apply to them.
  const isFilter =
    parameter !== undefined &&
    taken.every((each) => findNamedTypeParameter(each.node, resolver.checker) === parameter);
  const { structure, declarations } = resolver.resolve(check);
  const before = isFilter && structure.kind === "union" ? declarations : [];
  return inheritDeclarations(written, toUnion({ node, bindings }, taken), ...before);
}

function findNamedTypeParameter(node: ts.Node, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = ts.isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined;
  return symbol && symbol.flags & ts.SymbolFlags.TypeParameter ? symbol : undefined;
}

/** Finds the branches of a type or of its alternatives; undefined if one of them is uncertain. */
function findBranches(
  given: WrittenType,
  conditional: TypeExpressionOf<ts.ConditionalTypeNode>,
  parameter: ts.Symbol,
  resolver: TypeResolver,
): WrittenType[] | undefined {
  const { structure } = resolver.resolve(given);
  if (structure.kind !== "union") return findBranch(given, conditional, parameter, resolver);
  // An alias of a union keeps its name if all its alternatives take the same branch.
  const whole = findBranch(given, conditional, parameter, resolver);
  if (whole?.every((branch) => isSameForAll(branch, parameter, resolver))) return whole;
  const branches: WrittenType[] = [];
  for (const each of structure.types) {
    const found = findBranches(each, conditional, parameter, resolver);
    if (!found) return undefined;
    branches.push(...found);
  }
  return branches;
}

/**
 * Returns whether a branch is the parameter itself, a conditional type that checks each alternative of the parameter, or
 * does not mention it.
 */
function isSameForAll(branch: WrittenType, parameter: ts.Symbol, resolver: TypeResolver): boolean {
  const checked = ts.isConditionalTypeNode(branch.node) ? branch.node.checkType : branch.node;
  if (findNamedTypeParameter(checked, resolver.checker) === parameter) return true;
  const only = new Map([...branch.bindings].filter(([each]) => each === parameter));
  return !resolver.isOpen({ ...branch, bindings: only });
}

function findBranch(
  given: WrittenType,
  { node, bindings }: TypeExpressionOf<ts.ConditionalTypeNode>,
  parameter: ts.Symbol | undefined,
  resolver: TypeResolver,
): WrittenType[] | undefined {
  const own = resolver.resolveToAlias(given);
  const type = resolver.getType(own);
  if (type && type.flags & UNDECIDED) return undefined;
  const inside = parameter ? new Map([...bindings, [parameter, own]]) : bindings;
  const pattern: WrittenType = { node: node.extendsType, bindings };
  const matches =
    parameter && type?.isUnion()
      ? matchAllMembers(type, pattern, resolver)
      : matchPattern(pattern, own, resolver);
  if (matches === undefined) return undefined;
  if (matches === "no") return [{ node: node.falseType, bindings: inside }];
  return [{ node: node.trueType, bindings: new Map([...inside, ...matches]) }];
}

/** Matches a union with a pattern if all or none of its members extend it. */
function matchAllMembers(
  type: ts.UnionType,
  pattern: WrittenType,
  resolver: TypeResolver,
): TypeBindings | "no" | undefined {
  const wanted = resolver.getType(pattern);
  if (!wanted || wanted.flags & UNDECIDED) return undefined;
  const { checker } = resolver;
  const present = type.types.filter((each) => !(each.flags & ts.TypeFlags.Undefined));
  const extending = present.filter((each) => checker.isTypeAssignableTo(each, wanted));
  if (extending.length === present.length) return new Map();
  return extending.length === 0 ? "no" : undefined;
}
