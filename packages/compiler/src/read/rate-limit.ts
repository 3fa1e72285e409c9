import type { DeclaredRateLimit, RateLimit } from "@tenon/runtime/manifest";
import type { Expression } from "ts-morph";
import { Node, ts } from "../typescript/typescript.js";
import { isOption, SERVER_OPTIONS } from "../declared-options.js";
import { evaluateConstant } from "../typescript/constant.js";
import { findMember, type Member } from "./literals.js";

/**
 * Reads a rate limit: its numbers, or `"function"` if a function determines it for each caller.
 *
 * @param member undefined if the option is missing
 * @returns undefined if there is no limit
 */
export function readRateLimit(
  member: Pick<Member, "value" | "node"> | undefined,
  checker: ts.TypeChecker,
): DeclaredRateLimit | undefined {
  if (!member) return undefined;
  const { value, node } = member;
  if (Node.isMethodDeclaration(node)) return "function";
  if (!value) return "unknown";
  const constant = evaluateConstant(value.compilerNode, checker)?.value;
  // TypeScript reports a value of the wrong type.
  if (constant !== undefined)
    return isOption("rateLimit", constant, SERVER_OPTIONS) ? (constant as unknown as RateLimit) : undefined;
  return toDeclaredLimit(checker.getTypeAtLocation(value.compilerNode), checker);
}

/**
 * Reads the rate limit of a whole server.
 *
 * @param config the argument of `defineServer`
 * @param members the members of the argument; undefined if it is not a literal
 */
export function readServerRateLimit(
  config: Expression,
  members: readonly Member[] | undefined,
  checker: ts.TypeChecker,
): DeclaredRateLimit | undefined {
  const member = members && findMember("rateLimit", members);
  if (member && !Node.isSpreadAssignment(member.node)) return readRateLimit(member, checker);
  if (members && !member) return undefined;
  const property = checker.getTypeAtLocation(config.compilerNode).getProperty("rateLimit");
  return property && toDeclaredLimit(checker.getTypeOfSymbol(property), checker);
}

function toDeclaredLimit(type: ts.Type, checker: ts.TypeChecker): DeclaredRateLimit | undefined {
  const given = checker.getNonNullableType(type);
  // The type is `undefined`.
  if (given.flags & ts.TypeFlags.Never) return undefined;
  return given.getCallSignatures().length > 0 ? "function" : "unknown";
}
