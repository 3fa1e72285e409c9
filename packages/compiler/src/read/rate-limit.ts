import type { KnownRateLimit, RateLimit } from "@tenon/runtime/manifest";
import { Node, type Expression } from "ts-morph";
import { isOption, SERVER_OPTIONS } from "../declared-options.js";
import { constantValue } from "../project/constant.js";
import { ts } from "../project/typescript.js";
import { memberNamed, type Member } from "./literals.js";

/**
 * What the source tells of a rate limit: its numbers, or that a function decides it for each caller.
 *
 * @param member undefined where there is none
 * @returns undefined where there is no limit
 */
export function knownRateLimit(
  member: Pick<Member, "value" | "node"> | undefined,
  checker: ts.TypeChecker,
): KnownRateLimit | undefined {
  if (!member) return undefined;
  const { value, node } = member;
  if (Node.isMethodDeclaration(node)) return "function";
  if (!value) return "unknown";
  const constant = constantValue(value.compilerNode, checker)?.value;
  // Of a wrong shape it is TypeScript's to report.
  if (constant !== undefined)
    return isOption("rateLimit", constant, SERVER_OPTIONS) ? (constant as unknown as RateLimit) : undefined;
  return ofType(checker.getTypeAtLocation(value.compilerNode), checker);
}

/**
 * The rate limit of a whole server, likewise.
 *
 * @param config what `defineServer` is given
 * @param members those of the literal that it is; undefined where the source does not tell
 */
export function serverRateLimit(
  config: Expression,
  members: readonly Member[] | undefined,
  checker: ts.TypeChecker,
): KnownRateLimit | undefined {
  const member = members && memberNamed("rateLimit", members);
  if (member && !Node.isSpreadAssignment(member.node)) return knownRateLimit(member, checker);
  if (members && !member) return undefined;
  const property = checker.getTypeAtLocation(config.compilerNode).getProperty("rateLimit");
  return property && ofType(checker.getTypeOfSymbol(property), checker);
}

function ofType(type: ts.Type, checker: ts.TypeChecker): KnownRateLimit | undefined {
  const given = checker.getNonNullableType(type);
  // What was `undefined` itself.
  if (given.flags & ts.TypeFlags.Never) return undefined;
  return given.getCallSignatures().length > 0 ? "function" : "unknown";
}
