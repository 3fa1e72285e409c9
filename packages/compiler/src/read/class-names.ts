import type { SourceEdit } from "../source-edits.js";
import { ts } from "../typescript/typescript.js";

/**
 * Creates the edits that let each class keep its name, which code may read as `error.constructor.name`. A bundler renames a class that refers to
 * itself, or that has the same name as another one. Line numbers do not change.
 */
export function keepClassNames({ statements }: ts.SourceFile): SourceEdit[] {
  return statements.flatMap((each) => createEdit(each) ?? []);
}

function createEdit(statement: ts.Statement): SourceEdit | undefined {
  if (!ts.isClassDeclaration(statement) || statement.name === undefined) return undefined;
  const { name, members, modifiers = [] } = statement;
  if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) return undefined;
  if (members.some((member) => isStatic(member) && member.name?.getText() === "name")) return undefined;
  const value = JSON.stringify(name.text);
  const text = ` static { Object.defineProperty(this, "name", { value: ${value}, configurable: true }); }`;
  return { start: members.pos, end: members.pos, text };
}

function isStatic(member: ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
}
