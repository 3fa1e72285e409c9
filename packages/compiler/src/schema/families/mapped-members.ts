import type { DocComment, DocTag } from "../../jsdoc/doc-comment.js";
import { isConstraintTag } from "../../jsdoc/tags.js";
import { ts } from "../../project/typescript.js";
import { libraryName } from "./library-types.js";
import { onlyPresent } from "../type-identity.js";

/** What the checker knows of a member that a mapped type has made. */
interface MappedSymbol extends ts.Symbol {
  links?: { mappedType?: ts.Type; syntheticOrigin?: ts.Symbol };
}

/**
 * The comment of a member, without the constraints that are about another value: of `{ [K in keyof Book]?: "asc" | "desc" }`,
 * a member is what `Book` says of it, but no longer has so many pages.
 */
export function commentOnValue(
  member: ts.Symbol,
  comment: DocComment | undefined,
  checker: ts.TypeChecker,
): DocComment | undefined {
  const isOfValue = ({ name }: DocTag): boolean => isConstraintTag(name) || name === "example";
  if (!comment?.tags.some((tag) => isOfValue(tag)) || isSameValue(member, checker)) return comment;
  return { ...comment, tags: comment.tags.filter((tag) => !isOfValue(tag)) };
}

function isSameValue(member: MappedSymbol, checker: ts.TypeChecker): boolean {
  let origin: MappedSymbol = member;
  for (let next = origin.links?.syntheticOrigin; next; next = origin.links?.syntheticOrigin) {
    if (!isFromValue(origin.links?.mappedType, checker)) return false;
    origin = next;
  }
  if (origin === member) return true;
  const before = onlyPresent(checker.getTypeOfSymbol(origin));
  const now = onlyPresent(checker.getTypeOfSymbol(member));
  return (
    checker.isTypeAssignableTo(before, now) ||
    checker.isTypeAssignableTo(now, before) ||
    isWritten(before, now)
  );
}

/** `T[K] extends Date ? string : T[K]`: what JSON writes of the value. */
function isWritten(before: ts.Type, now: ts.Type): boolean {
  return (now.flags & ts.TypeFlags.String) !== 0 && ["Date", "URL"].includes(libraryName(before) ?? "");
}

/** Whether a mapped type makes its values of those that are there: of `{ [K in keyof T]: T[K] | null }`. */
function isFromValue(mapped: ts.Type | undefined, checker: ts.TypeChecker): boolean {
  const node = mapped?.symbol.declarations?.find((each) => ts.isMappedTypeNode(each));
  if (!node?.type) return true;
  const name = checker.getSymbolAtLocation(node.typeParameter.name);
  const isValue = (each: ts.Node): boolean =>
    (ts.isIndexedAccessTypeNode(each) &&
      ts.isTypeReferenceNode(each.indexType) &&
      checker.getSymbolAtLocation(each.indexType.typeName) === name) ||
    ts.forEachChild(each, (child) => isValue(child) || undefined) === true;
  return isValue(node.type);
}
