import type { ts } from "./typescript.js";

/** The checker's own record of what replaces the type parameters of a generic declaration. TypeScript does not export it. */
type TypeMapper =
  | { kind: 0; source: ts.Type; target: ts.Type }
  | { kind: 1; sources: readonly ts.Type[]; targets?: readonly ts.Type[] }
  | { kind: 4 | 5; mapper1: TypeMapper; mapper2: TypeMapper }
  | { kind: 2 | 3 };

/**
 * Returns the type that replaces a type parameter in an object type inside a generic declaration: for the type literal in
 * `type Box<T> = { value: T }`, the `T` of this instance.
 *
 * @param parameter the type parameter
 * @returns undefined if the type does not mention the parameter, or the checker computes its replacement when needed
 */
export function getTypeArgument(type: ts.Type, parameter: ts.Type): ts.Type | undefined {
  const { mapper } = type as { mapper?: TypeMapper };
  return mapper && findReplacement(mapper, parameter);
}

function findReplacement(mapper: TypeMapper, parameter: ts.Type): ts.Type | undefined {
  switch (mapper.kind) {
    case 0:
      return mapper.source === parameter ? mapper.target : undefined;
    case 1:
      return mapper.targets?.[mapper.sources.indexOf(parameter)];
    case 4:
    case 5: {
      const first = findReplacement(mapper.mapper1, parameter);
      return first
        ? (findReplacement(mapper.mapper2, first) ?? first)
        : findReplacement(mapper.mapper2, parameter);
    }
    default:
      return undefined;
  }
}
