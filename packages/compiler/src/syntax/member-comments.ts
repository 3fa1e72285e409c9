import { findNearestName } from "@tenon/runtime/nearest-name";
import { type CommentCache, getDeclaredTags } from "../jsdoc/comment-cache.js";
import type { DocComment, DocTag } from "../jsdoc/doc-comment.js";
import { findParameterComment, readParameterTag } from "../jsdoc/parameter-tags.js";
import { isLibraryNode } from "../typescript/nodes.js";
import { ts } from "../typescript/typescript.js";
import { isClassOrInterface } from "./names.js";

/**
 * Returns the comment of a member. Text and tags that it lacks come from the members that it overrides or implements. A
 * member with several declarations (merged interfaces, intersections) has the first text and all tags.
 */
export function getMemberComment(symbol: ts.Symbol, comments: CommentCache): DocComment | undefined {
  const found: DocComment[] = [];
  for (const declaration of symbol.declarations ?? []) addDeclarationComments(declaration, comments, found);
  for (const { parent } of symbol.declarations ?? []) {
    if (isClassOrInterface(parent) && parent.heritageClauses)
      found.push(...getInheritedComments(parent, symbol.name, comments));
  }
  return mergeComments(found);
}

/**
 * Returns the `@secret` of the types that contain the declaration of a member. It applies to all members of such a type, also
 * where they are members of another type, as in `Pick<Credentials, "token">`.
 *
 * @param owner the type whose member it is, which has its own comment
 */
export function getOwnerSecret(
  { declarations = [] }: ts.Symbol,
  owner: ts.Type | undefined,
  comments: CommentCache,
): DocComment | undefined {
  const known = new Set([owner?.symbol, owner?.aliasSymbol].flatMap((each) => each?.declarations ?? []));
  for (const declaration of declarations) {
    let around: ts.Node | undefined = declaration.parent;
    for (; around && mayContain(around) && !known.has(around as ts.Declaration); around = around.parent) {
      // A comment before a part of an intersection describes nothing.
      if (ts.isTypeNode(around) || isLibraryNode(around)) continue;
      const secret = getDeclaredTags(around, comments).find(({ name }) => name === "secret");
      if (secret) return { text: "", tags: [secret], ignoredTags: [] };
    }
  }
  return undefined;
}

/** Returns whether a node is a type with members, a part of one, or a member whose type is written in place. */
function mayContain(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    isClassOrInterface(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node)
  );
}

function addDeclarationComments(declaration: ts.Node, comments: CommentCache, found: DocComment[]): void {
  const comment = comments.getComment(declaration);
  if (comment && !isLibraryNode(declaration)) found.push(comment);
  if (!ts.isParameter(declaration)) return;
  // The constructor's `@param` also describes a parameter property.
  for (const each of listFunctionComments(declaration.parent, comments)) {
    const documented = findParameterComment(each, (written) =>
      ts.isIdentifier(declaration.name)
        ? written === declaration.name.text
        : isNameOfDestructured(written, declaration, comments.checker),
    );
    found.push({ text: "", tags: [], ...documented, ignoredTags: each.ignoredTags });
  }
}

/** Lists the comments of a function: its own, and that of the alias, variable, or member that it is the type or value of. */
function listFunctionComments(node: ts.Node, comments: CommentCache): DocComment[] {
  const own = comments.getComment(node);
  const outer = containsOnlyFunction(node.parent) ? listFunctionComments(node.parent, comments) : [];
  return own ? [own, ...outer] : outer;
}

function containsOnlyFunction(node: ts.Node): boolean {
  return (
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isParenthesizedTypeNode(node) ||
    ts.isParenthesizedExpression(node)
  );
}

/**
 * Returns whether `@param options` is about a destructured parameter, because nothing else has a similar name: no other parameter, no
 * property, and no variable of the pattern.
 */
function isNameOfDestructured(
  written: string,
  parameter: ts.ParameterDeclaration,
  checker: ts.TypeChecker,
): boolean {
  if (written.includes(".")) return false;
  const { name: pattern, parent } = parameter;
  const properties = checker.getNonNullableType(checker.getTypeAtLocation(parameter)).getProperties();
  const names = [
    ...properties.map(({ name }) => name),
    ...parent.parameters.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : [])),
    ...(ts.isObjectBindingPattern(pattern) ? pattern.elements : []).flatMap(({ name, propertyName }) =>
      propertyName ? name.getText() : [],
    ),
  ];
  return findNearestName(written, names) === undefined;
}

function getInheritedComments(owner: ClassOrInterface, name: string, comments: CommentCache): DocComment[] {
  return findInherited(owner, name, comments).flatMap((symbol) => getMemberComment(symbol, comments) ?? []);
}

type ClassOrInterface = ts.ClassLikeDeclaration | ts.InterfaceDeclaration;

/** Finds the members that a member of a class or an interface overrides or implements. */
function findInherited(owner: ClassOrInterface, name: string, { checker }: CommentCache): ts.Symbol[] {
  const bases = (owner.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
  return bases.flatMap((base) => {
    const symbol = checker.getTypeAtLocation(base).getProperty(name);
    // A base that resolves to the same declaration would recurse forever.
    if (!symbol || symbol.declarations?.some((declaration) => declaration.parent === owner)) return [];
    return [symbol];
  });
}

/**
 * Returns the comment of a parameter, merged with the `@param` of its method. Text and tags that both lack come from the
 * parameter in the same position of the methods that its method overrides or implements.
 */
export function getParameterComment(
  parameter: ts.ParameterDeclaration,
  comments: CommentCache,
): DocComment | undefined {
  const found: DocComment[] = [];
  addDeclarationComments(parameter, comments, found);
  const { parent: method } = parameter;
  const index = method.parameters.indexOf(parameter);
  if (method.name && ts.isIdentifier(method.name) && isClassOrInterface(method.parent)) {
    for (const symbol of findInherited(method.parent, method.name.text, comments)) {
      // The type and not the declaration, which may be a property that contains a function.
      const [signature] = comments.checker.getTypeOfSymbol(symbol).getCallSignatures();
      const overridden = signature?.getDeclaration()?.parameters[index];
      const comment = overridden && getParameterComment(overridden as ts.ParameterDeclaration, comments);
      if (comment) found.push(comment);
    }
  }
  return mergeComments(found);
}

/** Merges comments: the first text, and the first of each tag (of each parameter, for `@param`). */
function mergeComments(comments: readonly DocComment[]): DocComment | undefined {
  const [first, ...others] = comments;
  if (!first || others.length === 0) return first;
  const tags = [...first.tags];
  for (const comment of others) {
    const known = new Set(tags.map((tag) => getTagKey(tag)));
    tags.push(...comment.tags.filter((tag) => !known.has(getTagKey(tag))));
  }
  const text = comments.find((comment) => comment.text)?.text ?? "";
  return { text, tags, ignoredTags: comments.flatMap((comment) => comment.ignoredTags) };
}

function getTagKey(tag: DocTag): string {
  return tag.name === "param" ? `param ${readParameterTag(tag)?.name}` : tag.name;
}

/** Returns the comment of a method. Text and tags that it lacks come from the methods that it overrides or implements. */
export function getMethodComment(method: ts.Node, comments: CommentCache): DocComment | undefined {
  const name = ts.isMethodDeclaration(method) || ts.isPropertyDeclaration(method) ? method.name : undefined;
  const symbol = name && comments.checker.getSymbolAtLocation(name);
  return symbol ? getMemberComment(symbol, comments) : comments.getComment(method);
}
