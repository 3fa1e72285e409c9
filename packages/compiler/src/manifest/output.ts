import { CONTENT_KINDS, type Output } from "@tenon/runtime/manifest";
import { ts } from "../project/typescript.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

/** Types of the runtime that a tool may return as they are. */
const CONTENT = new Set([
  "Content",
  "ToolResult",
  ...Object.values(CONTENT_KINDS).map(({ typeName }) => typeName),
]);

/** What a handler's call finally gives: the awaited return type. */
export function resultType(signature: ts.Signature, checker: ts.TypeChecker): ts.Type {
  const returned = checker.getReturnTypeOfSignature(signature);
  return checker.getAwaitedType(returned) ?? returned;
}

/**
 * How a tool's result travels, from its declared type alone.
 *
 * @returns `structured` for everything that needs a schema
 */
export function outputKind(type: ts.Type, checker: ts.TypeChecker, runtime: RuntimeSymbols): Output["kind"] {
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "unknown";
  if (isNothing(type)) return "none";
  const members = (type.isUnion() ? type.types : [type]).filter((member) => !isNothing(member));
  if (members.every((member) => isText(member))) return "text";
  if (members.every((member) => isText(member) || isContent(member, checker, runtime))) return "content";
  return "structured";
}

function isNothing(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined | ts.TypeFlags.Never)) !== 0;
}

function isText(type: ts.Type): boolean {
  if (type.flags & ts.TypeFlags.StringLike) return true;
  return type.isIntersection() && type.types.some((part) => part.flags & ts.TypeFlags.StringLike);
}

function isContent(type: ts.Type, checker: ts.TypeChecker, runtime: RuntimeSymbols): boolean {
  if (CONTENT.has(runtime.nameOf(type.getSymbol()) ?? "")) return true;
  if (!checker.isArrayType(type)) return false;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  const members = element?.isUnion() ? element.types : [element];
  return members.every((member) => member && CONTENT.has(runtime.nameOf(member.getSymbol()) ?? ""));
}

/** An object with a `content` array of `{ type: string }`: surely meant as a `ToolResult`, but not typed as one. */
export function looksLikeContent(type: ts.Type, checker: ts.TypeChecker): boolean {
  const content = type.getProperty("content");
  const list = content && checker.getTypeOfSymbol(content);
  const element =
    list && checker.isArrayType(list) ? checker.getIndexTypeOfType(list, ts.IndexKind.Number) : undefined;
  const members = element?.isUnion() ? element.types : element ? [element] : [];
  return (
    members.length > 0 &&
    members.every((member) => {
      const kind = member.getProperty("type");
      return kind !== undefined && (checker.getTypeOfSymbol(kind).flags & ts.TypeFlags.StringLike) !== 0;
    })
  );
}

const PROMPT_RESULTS = new Set(
  [...CONTENT].filter((name) => name !== "ToolResult").concat("PromptMessage", "PromptResult"),
);

/** Text, messages or content blocks, alone or in an array. */
export function isPromptResult(type: ts.Type, checker: ts.TypeChecker, runtime: RuntimeSymbols): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => {
    if (isText(member) || member.flags & ts.TypeFlags.Any) return true;
    if (checker.isArrayType(member)) {
      const element = checker.getIndexTypeOfType(member, ts.IndexKind.Number);
      return element !== undefined && isPromptResult(element, checker, runtime);
    }
    return (
      PROMPT_RESULTS.has(runtime.nameOf(member.getSymbol()) ?? "") || hasMessages(member, checker, runtime)
    );
  });
}

/** An object literal that is a `PromptResult` in all but name. */
function hasMessages(type: ts.Type, checker: ts.TypeChecker, runtime: RuntimeSymbols): boolean {
  const messages = type.getProperty("messages");
  return messages !== undefined && isPromptResult(checker.getTypeOfSymbol(messages), checker, runtime);
}

const RESOURCE_RESULTS = new Set([
  "ResourceResult",
  "TextResourceContents",
  "BlobResourceContents",
  "ResourceContents",
]);

/** Whether a resource's result is text or the specification's own contents, so that nothing has to be derived. */
export function isResourceResult(type: ts.Type, checker: ts.TypeChecker, runtime: RuntimeSymbols): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.every((member) => {
    if (isText(member)) return true;
    if (checker.isArrayType(member)) {
      const element = checker.getIndexTypeOfType(member, ts.IndexKind.Number);
      const name = element && runtime.nameOf(element.getSymbol() ?? element.aliasSymbol);
      return (
        (name !== undefined && RESOURCE_RESULTS.has(name)) ||
        (element !== undefined && element.isUnion() && isResourceResult(element, checker, runtime))
      );
    }
    return RESOURCE_RESULTS.has(runtime.nameOf(member.getSymbol()) ?? "");
  });
}
