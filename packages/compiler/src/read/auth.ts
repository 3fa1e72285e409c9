import type { DeclaredScopes, JsonValue } from "@tenon/runtime/manifest";
import type { CallExpression, Expression } from "ts-morph";
import { Node, ts } from "../typescript/typescript.js";
import type { AuthDeclaration } from "../model.js";
import { evaluateConstant } from "../typescript/constant.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { findNameNode } from "./decorators.js";
import { findMember, getMembers, findReturnedExpression, findOrigin } from "./literals.js";

/**
 * Reads `auth`: the names of its scopes from its type, and which scopes they imply if `scopes` is a literal.
 *
 * @param define the call to `defineServer`
 * @returns undefined if the server has no `auth`
 */
export function readAuth(
  define: CallExpression,
  runtime: RuntimeSymbols,
  checker: ts.TypeChecker,
): AuthDeclaration | undefined {
  const [argument] = define.getArguments();
  if (!Node.isExpression(argument)) return undefined;
  const config = checker.getTypeAtLocation(argument.compilerNode);
  const type = getMemberType(config, "auth", checker);
  if (!type) return undefined;
  const literal = findOrigin(argument);
  const value = Node.isObjectLiteralExpression(literal)
    ? findMember("auth", getMembers(literal, checker))?.value
    : undefined;
  const isConditional = value ? mayBeMissing(value, checker) : isOptionalMember(config, "auth", checker);
  const oauthCall = value && findAuthCall("oauth", value, runtime);
  const lacksExchange =
    oauthCall === undefined
      ? value !== undefined && findAuthCall("apiKeys", value, runtime) !== undefined
      : lacksMember(oauthCall, "exchange", checker);
  const isOAuth =
    oauthCall !== undefined || runtime.getName(checker.getNonNullableType(type).getSymbol()) === "OAuth";
  const issuers = value && readOAuthOption(value, "issuer", runtime, checker);
  return {
    ...readScopes(type, value, runtime, checker),
    ...(isConditional && { isConditional }),
    ...(isOAuth && { isOAuth }),
    ...(lacksExchange && { lacksExchange }),
    ...(issuers !== undefined && { issuers: [issuers].flat() as string[] }),
  };
}

/** Reads the names of the scopes from the type, and which scopes they imply. */
function readScopes(
  type: ts.Type,
  value: Expression | undefined,
  runtime: RuntimeSymbols,
  checker: ts.TypeChecker,
): Pick<AuthDeclaration, "scopes" | "allowsAnyScope"> {
  // TypeScript reports a value of the wrong type.
  const written = value && (readOAuthOption(value, "scopes", runtime, checker) as DeclaredScopes | undefined);
  const names = getScopeNames(checker.getNonNullableType(type), checker);
  if (names === "unknown") return written ? { scopes: written } : {};
  if (names === "any") return written ? { scopes: written } : { allowsAnyScope: true };
  return { scopes: Object.fromEntries(names.map((name) => [name, written?.[name] ?? {}])) };
}

/**
 * Returns whether the option `principal` of a transport may identify the caller.
 *
 * @param define the call to `defineServer`
 */
export function identifiesCallers(
  define: CallExpression,
  transport: "http" | "stdio",
  checker: ts.TypeChecker,
): boolean {
  const [argument] = define.getArguments();
  if (!Node.isExpression(argument)) return false;
  const options = getMemberType(checker.getTypeAtLocation(argument.compilerNode), transport, checker);
  return options !== undefined && getMemberType(options, "principal", checker) !== undefined;
}

/**
 * Reads whether `stdio.principal` may have scopes.
 *
 * @param define the call to `defineServer`
 */
export function readStdioScopes(
  define: CallExpression,
  checker: ts.TypeChecker,
): { stdioScopes?: "none" | "unknown" } {
  const [argument] = define.getArguments();
  if (!Node.isExpression(argument)) return {};
  const stdio = getMemberType(checker.getTypeAtLocation(argument.compilerNode), "stdio", checker);
  if (!stdio) return {};
  const principal = getMemberType(stdio, "principal", checker);
  // `stdio: {}` declares that calls over stdio need no scopes.
  if (!principal) return { stdioScopes: "unknown" };
  const parts = principal.isUnion() ? principal.types : [principal];
  const hasScopes = parts.some((each) => {
    const scopes = each.flags & ts.TypeFlags.Object ? getMemberType(each, "scopes", checker) : undefined;
    return scopes !== undefined && !isEmptyArray(scopes, checker);
  });
  return { stdioScopes: hasScopes ? "unknown" : "none" };
}

/** Returns whether the value of an expression may be `undefined`, by its type or, without `strict`, by its syntax. */
function mayBeMissing(expression: Expression, checker: ts.TypeChecker): boolean {
  if (includesUndefined(checker.getTypeAtLocation(expression.compilerNode))) return true;
  const origin = findOrigin(expression);
  if (!Node.isConditionalExpression(origin)) return false;
  return [origin.getWhenTrue(), origin.getWhenFalse()].some(
    (each) => /^(?:undefined|null|void 0)$/.test(each.getText()) || mayBeMissing(each, checker),
  );
}

function isOptionalMember(type: ts.Type, name: string, checker: ts.TypeChecker): boolean {
  const property = checker.getNonNullableType(type).getProperty(name);
  if (!property) return false;
  return (
    (property.flags & ts.SymbolFlags.Optional) !== 0 || includesUndefined(checker.getTypeOfSymbol(property))
  );
}

/** Returns whether a type is that of the literal `[]`. */
function isEmptyArray(type: ts.Type, checker: ts.TypeChecker): boolean {
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return item !== undefined && (item.flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined)) !== 0;
}

function includesUndefined(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some(({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null));
}

/** Returns the type of a member; undefined if it is missing or `undefined`. */
function getMemberType(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const property = checker.getNonNullableType(type).getProperty(name);
  const found = property && checker.getTypeOfSymbol(property);
  return found && found.flags & ts.TypeFlags.Undefined ? undefined : found;
}

/** Returns the scope names in the type of `oauth()`: "any" if they are not limited, "unknown" for other kinds of `auth`. */
function getScopeNames(auth: ts.Type, checker: ts.TypeChecker): string[] | "any" | "unknown" {
  const property = auth.getProperty("scopes");
  if (!property || property.flags & ts.SymbolFlags.Optional) return "unknown";
  const type = checker.getTypeOfSymbol(property);
  return type.getStringIndexType() ? "any" : type.getProperties().map(({ name }) => name);
}

/** Reads an option in the call to `oauth` that an expression refers to; undefined if the source does not show its value. */
function readOAuthOption(
  auth: Expression,
  option: "scopes" | "issuer",
  runtime: RuntimeSymbols,
  checker: ts.TypeChecker,
): JsonValue | undefined {
  const [argument] = findAuthCall("oauth", auth, runtime)?.getArguments() ?? [];
  const literal = Node.isExpression(argument) ? findOrigin(argument) : undefined;
  if (!Node.isObjectLiteralExpression(literal)) return undefined;
  const value = findMember(option, getMembers(literal, checker))?.value;
  return value && evaluateConstant(value.compilerNode, checker)?.value;
}

/** Returns whether the options of a call certainly lack a member, by their type. */
function lacksMember(call: CallExpression, name: string, checker: ts.TypeChecker): boolean {
  const [argument] = call.getArguments();
  return argument !== undefined && !checker.getTypeAtLocation(argument.compilerNode).getProperty(name);
}

/** Finds the call to `oauth` or `apiKeys`, through constants and functions that only return. */
function findAuthCall(
  name: "oauth" | "apiKeys",
  expression: Expression,
  runtime: RuntimeSymbols,
  seen: readonly Node[] = [],
): CallExpression | undefined {
  const origin = findOrigin(expression);
  if (Node.isConditionalExpression(origin)) {
    const branches = [origin.getWhenTrue(), origin.getWhenFalse()];
    return branches.map((each) => findAuthCall(name, each, runtime, seen)).find((found) => found);
  }
  if (seen.includes(origin) || !Node.isCallExpression(origin)) return undefined;
  const callee = findOrigin(origin.getExpression());
  if (runtime.getName(findNameNode(callee).getSymbol()?.compilerSymbol) === name) return origin;
  const returned = findReturnedExpression(callee);
  return returned && findAuthCall(name, returned, runtime, [...seen, origin]);
}
