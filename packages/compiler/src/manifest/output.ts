import type { Output } from "@tenon/runtime/manifest";
import { isFile } from "../schema/families/library-types.js";
import { isAbsent } from "../typescript/type-identity.js";
import { ts } from "../typescript/typescript.js";
import {
  getAlternatives,
  getElements,
  isList,
  type ProtocolTypes,
  type ProtocolTypeName,
} from "./protocol-types.js";
import { formatType } from "../typescript/type-text.js";

/** Returns the awaited return type of a handler. */
export function getResultType(signature: ts.Signature, checker: ts.TypeChecker): ts.Type {
  const returned = checker.getReturnTypeOfSignature(signature);
  return checker.getAwaitedType(returned) ?? returned;
}

/** How a tool's result is sent, according to its declared type. */
export interface ToolOutput {
  kind: Output["kind"];
  /** Types of the data in `structuredContent`. Empty if there is none, or its type is unknown. */
  data: readonly DataType[];
  /** Whether the data may be missing, which is sent as `null`. */
  mayBeNull?: boolean;
  /** Data of type `any`, which has no schema and is reported. */
  untyped?: DataType;
  /** Whether the result may contain files. */
  files?: true;
  /** A type whose values have no data, which rules out an output schema. */
  withoutData?: ts.Type | undefined;
}

/** A type of data in a result. */
export interface DataType {
  type: ts.Type;
  /** Path in the result. */
  path: readonly string[];
}

/**
 * Classifies a result type. Structure decides: a type assignable to a content block or a `ToolResult` is one. In a union
 * with content, strings are text; in a union with data, they are data.
 */
export function classifyOutput(type: ts.Type, protocol: ProtocolTypes): ToolOutput {
  if (type.flags & ts.TypeFlags.Any) return { kind: "unknown", data: [], untyped: { type, path: [] } };
  if (type.flags & ts.TypeFlags.Unknown) return { kind: "unknown", data: [] };
  if (isNothing(type)) return { kind: "none", data: [] };
  const members = getAlternatives(type).filter((member) => !isNothing(member));
  const texts = members.filter(isText);
  if (texts.length === members.length) return { kind: "text", data: [] };
  const results = members.filter((member) => protocol.isLike(member, "ToolResult"));
  const blocks = members.filter((member) => isBlocks(member, protocol));
  const files = blocks.some((member) => hasFile(member, protocol.checker)) ? { files: true as const } : {};
  if (results.length + blocks.length === 0) return { kind: "structured", data: [{ type, path: [] }] };

  const content = new Set([...texts, ...results, ...blocks]);
  const others = members.filter((member) => !content.has(member));
  const nested = results.flatMap((member) => findDataTypes(member, protocol.checker));
  if (others.length + nested.length === 0) {
    const [untyped] = results.flatMap((member) => findUntypedData(member, protocol.checker));
    return { kind: "content", data: [], ...files, ...(untyped && { untyped }) };
  }
  const withoutData =
    blocks[0] ??
    results.find((member) => mustLackData(member, protocol.checker)) ??
    (others.length === 0 ? texts[0] : undefined);
  const mayBeNull = members.length < getAlternatives(type).length;
  const isAlwaysContent = others.length === 0 && !mayBeNull;
  const listed = isAlwaysContent || withoutData ? others : [...texts, ...others];
  return {
    kind: isAlwaysContent ? "content" : withoutData ? "unknown" : "mixed",
    data: [...listed.map((member) => ({ type: member, path: [] })), ...nested],
    mayBeNull,
    withoutData,
    ...files,
  };
}

function isNothing(type: ts.Type): boolean {
  return isAbsent(type) || (type.flags & ts.TypeFlags.Never) !== 0;
}

function isText(type: ts.Type): boolean {
  if (type.flags & ts.TypeFlags.StringLike) return true;
  return type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike);
}

/** Maximum depth at which a result may contain a file: in the content of a message, in a list, in a whole result. */
const MAX_FILE_DEPTH = 4;

/** Returns whether a result of this type may contain files: it is a file, or a list, a message, or a prompt's result with one. */
export function hasFile(type: ts.Type, checker: ts.TypeChecker, depth = 0): boolean {
  return getAlternatives(type).some((member) => {
    if (isFile(member) || depth === MAX_FILE_DEPTH) return isFile(member);
    const inner = getElements(member, checker) ?? [
      ...getMemberTypes(member, "content", checker),
      ...getMemberTypes(member, "messages", checker),
    ];
    return inner.some((each) => hasFile(each, checker, depth + 1));
  });
}

function getMemberTypes(type: ts.Type, name: string, checker: ts.TypeChecker): readonly ts.Type[] {
  const symbol = type.flags & ts.TypeFlags.Object ? checker.getPropertyOfType(type, name) : undefined;
  return symbol ? [checker.getTypeOfSymbol(symbol)] : [];
}

function isBlock(type: ts.Type, protocol: ProtocolTypes): boolean {
  return isFile(type) || protocol.isLike(type, "Content");
}

/** Returns whether a type is a content block or a file, or a list of them and text. */
function isBlocks(type: ts.Type, protocol: ProtocolTypes): boolean {
  if (isBlock(type, protocol)) return true;
  const elements = getElements(type, protocol.checker)?.flatMap(getAlternatives);
  return (
    elements !== undefined &&
    elements.some((each) => isBlock(each, protocol)) &&
    elements.every((each) => isText(each) || isBlock(each, protocol))
  );
}

/** Returns the declared type of the data in a `ToolResult`, if it is known. */
function findDataTypes(type: ts.Type, checker: ts.TypeChecker): DataType[] {
  const data = getDataType(type, checker);
  if (!data || isNothing(data) || getAlternatives(data).some((each) => isVague(each, checker))) return [];
  return [{ type: data, path: ["structuredContent"] }];
}

/** Returns the data in a `ToolResult` if its type is `any`, or a record of `any`. */
function findUntypedData(type: ts.Type, checker: ts.TypeChecker): DataType[] {
  const data = getDataType(type, checker);
  const path = ["structuredContent"];
  return getAlternatives(data ?? checker.getNeverType()).flatMap((each): DataType[] => {
    if (each.flags & ts.TypeFlags.Any) return [{ type: each, path }];
    const [index] = isVague(each, checker) ? checker.getIndexInfosOfType(each) : [];
    return index && index.type.flags & ts.TypeFlags.Any
      ? [{ type: index.type, path: [...path, "[key]"] }]
      : [];
  });
}

function getDataType(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  const symbol = checker.getPropertyOfType(type, "structuredContent");
  return symbol && checker.getTypeOfSymbol(symbol);
}

/** Returns whether a type is `any` or `unknown`, or a record of them, which other libraries use instead. */
function isVague(type: ts.Type, checker: ts.TypeChecker): boolean {
  const vague = ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  if (type.flags & vague) return true;
  const [index] = checker.getIndexInfosOfType(type);
  return index !== undefined && (index.type.flags & vague) !== 0 && type.getProperties().length === 0;
}

/** Returns whether a result has neither data nor `isError`. */
function mustLackData(type: ts.Type, checker: ts.TypeChecker): boolean {
  return ["structuredContent", "isError"].every((name) => {
    const symbol = checker.getPropertyOfType(type, name);
    return !symbol || isNothing(checker.getTypeOfSymbol(symbol));
  });
}

/** Returns whether a type has content blocks whose `type` is any string, which are probably meant as content. */
export function looksLikeContent(type: ts.Type, protocol: ProtocolTypes): boolean {
  const { checker } = protocol;
  const listBlocks = (each: ts.Type): readonly ts.Type[] =>
    (getElements(each, checker) ?? [each])
      .flatMap(getAlternatives)
      .filter((one) => protocol.isBlockOfAnyType(one));
  return getAlternatives(type).some((member) => {
    const content = member.getProperty("content");
    if (content && listBlocks(checker.getTypeOfSymbol(content)).length > 0) return true;
    // Objects with `text` or `uri` may as well be data.
    return listBlocks(member).some((block) => block.getProperty("data") ?? block.getProperty("resource"));
  });
}

/** Returns whether a type is text, a message, or a content block, or a list of them. */
export function isPromptResult(type: ts.Type, protocol: ProtocolTypes): boolean {
  return getAlternatives(type).every((member) => {
    if (isText(member) || member.flags & ts.TypeFlags.Any) return true;
    if (isBlock(member, protocol) || isMessage(member, protocol)) return true;
    const messages = protocol.checker.getPropertyOfType(member, "messages");
    const list = messages ? protocol.checker.getTypeOfSymbol(messages) : member;
    return isList(list, (each) => isPromptResult(each, protocol), protocol.checker);
  });
}

/** Returns the first type `any` in the result of a prompt, whose values may not be prompt messages. */
export function findUntypedMessage(type: ts.Type, { checker }: ProtocolTypes): DataType | undefined {
  const visit = (each: ts.Type, path: readonly string[]): DataType | undefined => {
    if (each.flags & ts.TypeFlags.Any) return { type: each, path };
    if (each.isUnion()) return findFirst(each.types, (member) => visit(member, path));
    const elements = getElements(each, checker);
    if (elements) return findFirst(elements, (element) => visit(element, [...path, "[]"]));
    const messages = checker.getPropertyOfType(each, "messages");
    return messages && visit(checker.getTypeOfSymbol(messages), [...path, "messages"]);
  };
  return visit(type, []);
}

function findFirst<Item, Found>(
  items: readonly Item[],
  find: (item: Item) => Found | undefined,
): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a type is a message with a content block or text. */
function isMessage(type: ts.Type, protocol: ProtocolTypes): boolean {
  const { checker } = protocol;
  if (protocol.isLike(type, "PromptMessage")) return true;
  const [role, content] = ["role", "content"].map((name) => checker.getPropertyOfType(type, name));
  if (!role || !content) return false;
  const isRole = (each: ts.Type): boolean =>
    each.isStringLiteral() && (each.value === "user" || each.value === "assistant");
  const isMessageContent = (each: ts.Type): boolean => isText(each) || isBlock(each, protocol);
  const areRoles = getAlternatives(checker.getTypeOfSymbol(role)).every(isRole);
  return areRoles && getAlternatives(checker.getTypeOfSymbol(content)).every(isMessageContent);
}

/** Returns whether a resource's result is text or the specification's own contents, which need no schema. */
export function isResourceResult(type: ts.Type, protocol: ProtocolTypes): boolean {
  const isContents = (each: ts.Type): boolean => protocol.isLike(each, "ResourceContents");
  return getAlternatives(type).every(
    (member) =>
      isText(member) ||
      isFile(member) ||
      isContents(member) ||
      protocol.isLike(member, "ResourceResult") ||
      isList(member, isContents, protocol.checker),
  );
}

/** Finds members of results that clients do not receive, because the specification does not define them. */
export function findOmittedMembers(
  type: ts.Type,
  name: ProtocolTypeName,
  protocol: ProtocolTypes,
): { type: string; members: string[] }[] {
  return getAlternatives(type).flatMap((member) => {
    const members = protocol.isLike(member, name) ? protocol.findExtraMembers(member, name) : [];
    return members.length > 0 ? [{ type: formatType(member, protocol.checker), members }] : [];
  });
}
