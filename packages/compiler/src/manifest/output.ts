import type { Output } from "@tenon/runtime/manifest";
import { isAbsent } from "../schema/type-identity.js";
import { ts } from "../project/typescript.js";
import {
  alternativesOf,
  elementsOf,
  isListOf,
  type ProtocolTypes,
  type ProtocolTypeName,
} from "./protocol-types.js";

/** What a handler's call finally gives: the awaited return type. */
export function resultType(signature: ts.Signature, checker: ts.TypeChecker): ts.Type {
  const returned = checker.getReturnTypeOfSignature(signature);
  return checker.getAwaitedType(returned) ?? returned;
}

/** How a tool's result travels, from its declared type alone. */
export interface ToolOutput {
  kind: Output["kind"];
  /** The types of the data that `structuredContent` holds. Empty where there is none, or nothing is known of it. */
  data: readonly DataType[];
  /** The data may be missing altogether, which JSON writes as `null`. */
  mayBeNull?: boolean;
  /** A type whose values have no data, so that no schema can be promised of the data of the others. */
  withoutData?: ts.Type | undefined;
}

export interface DataType {
  type: ts.Type;
  /** Where in the result it is. */
  path: readonly string[];
}

/**
 * Text, content and data are told apart by structure: what is assignable to a content block or a `ToolResult` is one.
 * Of several alternatives, strings are text beside content, and data beside data.
 */
export function toolOutput(type: ts.Type, protocol: ProtocolTypes): ToolOutput {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return { kind: "unknown", data: [] };
  if (isNothing(type)) return { kind: "none", data: [] };
  const members = alternativesOf(type).filter((member) => !isNothing(member));
  const texts = members.filter(isText);
  if (texts.length === members.length) return { kind: "text", data: [] };
  const results = members.filter((member) => protocol.isLike(member, "ToolResult"));
  const blocks = members.filter((member) => isBlocks(member, protocol));
  if (results.length + blocks.length === 0) return { kind: "structured", data: [{ type, path: [] }] };

  const content = new Set([...texts, ...results, ...blocks]);
  const others = members.filter((member) => !content.has(member));
  const within = results.flatMap((member) => structuredTypes(member, protocol.checker));
  if (others.length + within.length === 0) return { kind: "content", data: [] };
  const withoutData =
    blocks[0] ??
    results.find((member) => mustLackData(member, protocol.checker)) ??
    (others.length === 0 ? texts[0] : undefined);
  const mayBeNull = members.length < alternativesOf(type).length;
  const isAlwaysContent = others.length === 0 && !mayBeNull;
  const shown = isAlwaysContent || withoutData ? others : [...texts, ...others];
  return {
    kind: isAlwaysContent ? "content" : withoutData ? "unknown" : "mixed",
    data: [...shown.map((member) => ({ type: member, path: [] })), ...within],
    mayBeNull,
    withoutData,
  };
}

function isNothing(type: ts.Type): boolean {
  return isAbsent(type) || (type.flags & ts.TypeFlags.Never) !== 0;
}

function isText(type: ts.Type): boolean {
  if (type.flags & ts.TypeFlags.StringLike) return true;
  return type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike);
}

/** A content block, or a list that has some and nothing besides but text. */
function isBlocks(type: ts.Type, protocol: ProtocolTypes): boolean {
  if (protocol.isLike(type, "Content")) return true;
  const elements = elementsOf(type, protocol.checker)?.flatMap(alternativesOf);
  return (
    elements !== undefined &&
    elements.some((each) => protocol.isLike(each, "Content")) &&
    elements.every((each) => isText(each) || protocol.isLike(each, "Content"))
  );
}

/** What is said of the data in a `ToolResult`. */
function structuredTypes(type: ts.Type, checker: ts.TypeChecker): DataType[] {
  const symbol = checker.getPropertyOfType(type, "structuredContent");
  const data = symbol && checker.getTypeOfSymbol(symbol);
  if (!data || isNothing(data) || alternativesOf(data).some((each) => saysNothing(each, checker))) return [];
  return [{ type: data, path: ["structuredContent"] }];
}

/** `unknown`, and what other libraries write for it: `Record<string, unknown>`. */
function saysNothing(type: ts.Type, checker: ts.TypeChecker): boolean {
  const vague = ts.TypeFlags.Any | ts.TypeFlags.Unknown;
  if (type.flags & vague) return true;
  const [index] = checker.getIndexInfosOfType(type);
  return index !== undefined && (index.type.flags & vague) !== 0 && type.getProperties().length === 0;
}

/** A result that is neither a failure nor holds data. */
function mustLackData(type: ts.Type, checker: ts.TypeChecker): boolean {
  return ["structuredContent", "isError"].every((name) => {
    const symbol = checker.getPropertyOfType(type, name);
    return !symbol || isNothing(checker.getTypeOfSymbol(symbol));
  });
}

/** Blocks whose `type` is any string, alone, in a list or as `content` of an object: surely meant as content. */
export function looksLikeContent(type: ts.Type, protocol: ProtocolTypes): boolean {
  const { checker } = protocol;
  const blocksIn = (each: ts.Type): readonly ts.Type[] =>
    (elementsOf(each, checker) ?? [each])
      .flatMap(alternativesOf)
      .filter((one) => protocol.isBlockOfAnyType(one));
  return alternativesOf(type).some((member) => {
    const content = member.getProperty("content");
    if (content && blocksIn(checker.getTypeOfSymbol(content)).length > 0) return true;
    // Text with a type, or a URI with a name, is as likely to be data.
    return blocksIn(member).some((block) => block.getProperty("data") ?? block.getProperty("resource"));
  });
}

/** Text, messages or content blocks, alone or in a list. */
export function isPromptResult(type: ts.Type, protocol: ProtocolTypes): boolean {
  return alternativesOf(type).every((member) => {
    if (isText(member) || member.flags & ts.TypeFlags.Any) return true;
    if (protocol.isLike(member, "Content") || isMessage(member, protocol)) return true;
    const messages = protocol.checker.getPropertyOfType(member, "messages");
    const list = messages ? protocol.checker.getTypeOfSymbol(messages) : member;
    return isListOf(list, (each) => isPromptResult(each, protocol), protocol.checker);
  });
}

/** A message with a block or, for short, with text. */
function isMessage(type: ts.Type, protocol: ProtocolTypes): boolean {
  const { checker } = protocol;
  if (protocol.isLike(type, "PromptMessage")) return true;
  const [role, content] = ["role", "content"].map((name) => checker.getPropertyOfType(type, name));
  if (!role || !content) return false;
  const isRole = (each: ts.Type): boolean =>
    each.isStringLiteral() && (each.value === "user" || each.value === "assistant");
  const isShown = (each: ts.Type): boolean => isText(each) || protocol.isLike(each, "Content");
  const areRoles = alternativesOf(checker.getTypeOfSymbol(role)).every(isRole);
  return areRoles && alternativesOf(checker.getTypeOfSymbol(content)).every(isShown);
}

/** Whether a resource's result is text or the specification's own contents, so that nothing has to be derived. */
export function isResourceResult(type: ts.Type, protocol: ProtocolTypes): boolean {
  const isContents = (each: ts.Type): boolean => protocol.isLike(each, "ResourceContents");
  return alternativesOf(type).every(
    (member) =>
      isText(member) ||
      isContents(member) ||
      protocol.isLike(member, "ResourceResult") ||
      isListOf(member, isContents, protocol.checker),
  );
}

/** Members of results that clients do not see, since the specification has no place for them. */
export function leftOutMembers(
  type: ts.Type,
  name: ProtocolTypeName,
  protocol: ProtocolTypes,
): { type: string; members: string[] }[] {
  return alternativesOf(type).flatMap((member) => {
    const members = protocol.isLike(member, name) ? protocol.membersBeyond(member, name) : [];
    return members.length > 0 ? [{ type: protocol.checker.typeToString(member), members }] : [];
  });
}
