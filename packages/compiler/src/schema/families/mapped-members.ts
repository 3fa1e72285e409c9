import type { DocComment, DocTag } from "../../jsdoc/doc-comment.js";
import { isConstraintTag } from "../../jsdoc/tags.js";
import { isLibraryNode } from "../../typescript/nodes.js";
import { ts } from "../../typescript/typescript.js";
import { getLibraryName } from "./library-types.js";
import { withoutUndefined } from "../../typescript/type-identity.js";

/** A member of a mapped type, with the checker's internal links to its origin. */
interface MappedSymbol extends ts.Symbol {
  links?: { mappedType?: ts.Type; syntheticOrigin?: ts.Symbol };
}

/** Returns whether a member has the type of its only declaration: the library's mapped types do not change values. */
export function isAsDeclared(member: MappedSymbol): boolean {
  if (member.declarations?.length !== 1) return false;
  const { mappedType, syntheticOrigin } = member.links ?? {};
  if (!mappedType) return true;
  const isLibrary = mappedType.symbol.declarations?.every((each) => isLibraryNode(each)) === true;
  return isLibrary && syntheticOrigin !== undefined && isAsDeclared(syntheticOrigin);
}

/**
 * Removes constraints and examples from a member's comment if a mapped type replaced its value. In `{ [K in keyof
 * Book]?: "asc" | "desc" }`, a member keeps its description from `Book`, but not its range of page numbers.
 */
export function removeReplacedTags(
  member: ts.Symbol,
  comment: DocComment | undefined,
  checker: ts.TypeChecker,
): DocComment | undefined {
  const describesValue = ({ name }: DocTag): boolean => isConstraintTag(name) || name === "example";
  if (!comment?.tags.some((tag) => describesValue(tag)) || isSameValue(member, checker)) return comment;
  return { ...comment, tags: comment.tags.filter((tag) => !describesValue(tag)) };
}

function isSameValue(member: MappedSymbol, checker: ts.TypeChecker): boolean {
  let origin: MappedSymbol = member;
  for (let next = origin.links?.syntheticOrigin; next; next = origin.links?.syntheticOrigin) {
    if (!isFromValue(origin.links?.mappedType, checker)) return false;
    origin = next;
  }
  if (origin === member) return true;
  const before = withoutUndefined(checker.getTypeOfSymbol(origin));
  const now = withoutUndefined(checker.getTypeOfSymbol(member));
  return (
    checker.isTypeAssignableTo(before, now) ||
    checker.isTypeAssignableTo(now, before) ||
    isJsonForm(before, now)
  );
}

/** Returns whether a type is the JSON form of a value, as in `T[K] extends Date ? string : T[K]`. */
function isJsonForm(before: ts.Type, now: ts.Type): boolean {
  return (now.flags & ts.TypeFlags.String) !== 0 && ["Date", "URL"].includes(getLibraryName(before) ?? "");
}

/** Returns whether a mapped type derives its values from the original ones, as `{ [K in keyof T]: T[K] | null }` does. */
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
