import type { Expression } from "ts-morph";
import { Node, type ts } from "../typescript/typescript.js";
import { findMember, findOrigin, getMembers } from "./literals.js";

/** Returns where the argument of `defineServer` sets an option; the argument itself if the source does not show it. */
export function findConfigOption(argument: Expression, name: string, checker: ts.TypeChecker): Node {
  const literal = findOrigin(argument);
  const members = Node.isObjectLiteralExpression(literal) ? getMembers(literal, checker) : [];
  return findMember(name, members)?.node ?? argument;
}
