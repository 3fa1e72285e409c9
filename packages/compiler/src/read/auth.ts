import type { KnownScopes } from "@tenon/runtime/manifest";
import { Node, type CallExpression, type Expression } from "ts-morph";
import type { AuthDeclaration } from "../model.js";
import { constantValue } from "../project/constant.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";
import { ts } from "../project/typescript.js";
import { nameNodeOf } from "./decorators.js";
import { memberNamed, membersOf, onlyReturned, originOf } from "./literals.js";

/**
 * What the source tells of `auth`: the names of its scopes by its type, wherever it is made; what they imply, where
 * `scopes` is written out.
 *
 * @param define the call of `defineServer`
 * @returns undefined where the server has none
 */
export function readAuth(
  define: CallExpression,
  runtime: RuntimeSymbols,
  checker: ts.TypeChecker,
): AuthDeclaration | undefined {
  const [argument] = define.getArguments();
  if (!Node.isExpression(argument)) return undefined;
  const type = memberType(checker.getTypeAtLocation(argument.compilerNode), "auth", checker);
  if (!type) return undefined;
  const literal = originOf(argument);
  const value = Node.isObjectLiteralExpression(literal)
    ? memberNamed("auth", membersOf(literal, checker))?.value
    : undefined;
  const written = value && writtenScopes(value, runtime, checker);
  const names = scopeNames(checker.getNonNullableType(type), checker);
  if (names === "unknown") return written ? { scopes: written } : {};
  if (names === "any") return written ? { scopes: written } : { hasAnyScope: true };
  return { scopes: Object.fromEntries(names.map((name) => [name, written?.[name] ?? {}])) };
}

/**
 * Whether something besides `auth` may say who calls, and what they may do: `http.principal` or `stdio.principal`.
 *
 * @param define the call of `defineServer`
 */
export function namesCallers(define: CallExpression, checker: ts.TypeChecker): boolean {
  const [argument] = define.getArguments();
  if (!Node.isExpression(argument)) return false;
  const config = checker.getTypeAtLocation(argument.compilerNode);
  return ["http", "stdio"].some((member) => {
    const transport = memberType(config, member, checker);
    return transport !== undefined && memberType(transport, "principal", checker) !== undefined;
  });
}

/** Undefined where there is none, or it is `undefined` itself. */
function memberType(type: ts.Type, name: string, checker: ts.TypeChecker): ts.Type | undefined {
  const property = checker.getNonNullableType(type).getProperty(name);
  const found = property && checker.getTypeOfSymbol(property);
  return found && found.flags & ts.TypeFlags.Undefined ? undefined : found;
}

/** Those of `OAuth`, unless they may be any; of any other `auth` the type tells nothing. */
function scopeNames(auth: ts.Type, checker: ts.TypeChecker): string[] | "any" | "unknown" {
  const property = auth.getProperty("scopes");
  if (!property || property.flags & ts.SymbolFlags.Optional) return "unknown";
  const type = checker.getTypeOfSymbol(property);
  return type.getStringIndexType() ? "any" : type.getProperties().map(({ name }) => name);
}

/** The `scopes` of the call of `oauth` that an expression stands for. */
function writtenScopes(
  auth: Expression,
  runtime: RuntimeSymbols,
  checker: ts.TypeChecker,
): KnownScopes | undefined {
  const [argument] = oauthCall(auth, runtime, [])?.getArguments() ?? [];
  const literal = Node.isExpression(argument) ? originOf(argument) : undefined;
  if (!Node.isObjectLiteralExpression(literal)) return undefined;
  const scopes = memberNamed("scopes", membersOf(literal, checker))?.value;
  // What is no table of scopes is TypeScript's to report.
  return scopes && (constantValue(scopes.compilerNode, checker)?.value as KnownScopes | undefined);
}

/** Follows constants, and functions that do nothing but return. */
function oauthCall(
  expression: Expression,
  runtime: RuntimeSymbols,
  seen: readonly Node[],
): CallExpression | undefined {
  const made = originOf(expression);
  if (seen.includes(made) || !Node.isCallExpression(made)) return undefined;
  const callee = originOf(made.getExpression());
  if (runtime.nameOf(nameNodeOf(callee).getSymbol()?.compilerSymbol) === "oauth") return made;
  const returned = onlyReturned(callee);
  return returned && oauthCall(returned, runtime, [...seen, made]);
}
