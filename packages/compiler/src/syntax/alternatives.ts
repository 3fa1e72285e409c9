import type { ts } from "../typescript/typescript.js";
import { findAlias } from "./names.js";
import { addDeclarations, type TypeResolver, type WrittenType } from "./written-type.js";

/**
 * Returns the alternatives of a union, including those of aliases of unions. A type that is not a union is returned alone.
 *
 * @param isWhole decides whether a union remains one alternative
 */
export function getAlternatives(
  written: WrittenType,
  resolver: TypeResolver,
  isWhole: (written: WrittenType) => boolean = () => false,
): WrittenType[] {
  const own = resolver.resolveToAlias(written);
  const { structure } = resolver.resolve(own);
  if (structure.kind !== "union" || isWhole(own)) return [own];
  if (!own.structure && findAlias(own.node, resolver.checker)) {
    const target = resolver.step(own);
    if (target) return getAlternatives(target, resolver, isWhole);
  }
  return structure.types.flatMap((each) => getAlternatives(each, resolver, isWhole));
}

/**
 * Returns the parts of an intersection, including those of inner intersections: `Count` and both brands of
 * `Brand<Brand<Count, "a">, "b">`. Comments on an inner intersection apply to its parts.
 */
export function getParts(written: WrittenType, resolver: TypeResolver): WrittenType[] {
  const { structure } = resolver.resolve(written);
  if (structure.kind !== "intersection") return [written];
  return structure.types.flatMap((each) => {
    const inner = resolver.resolve(each);
    return inner.structure.kind === "intersection"
      ? getParts(inner.end, resolver).map((part) => addDeclarations(part, inner.declarations))
      : [each];
  });
}

/** Maximum number of aliases of one type. An incorrect program can be circular. */
const MAX_ALIASES = 20;

/** Returns the aliases of a type, outermost first. */
export function getAliases(written: WrittenType, resolver: TypeResolver): ts.TypeAliasDeclaration[] {
  const names: ts.TypeAliasDeclaration[] = [];
  let next: WrittenType | undefined = resolver.resolveToAlias(written);
  while (next && !next.structure && names.length < MAX_ALIASES) {
    const alias = findAlias(next.node, resolver.checker);
    if (!alias) break;
    names.push(alias);
    next = resolver.step(next);
    next = next && resolver.resolveToAlias(next);
  }
  return names;
}
