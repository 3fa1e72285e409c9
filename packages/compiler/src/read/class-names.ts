import { relative } from "node:path";
import type { Project } from "../project/project.js";
import { findReachedFiles } from "../project/reached-files.js";
import type { SourceEdit, SourceEdits } from "../source-edits.js";
import { ts } from "../typescript/typescript.js";

/**
 * Creates the edits that let each class keep its name, which code may read as `error.constructor.name`. A bundler renames a class that refers to
 * itself, or that has the same name as another one. Line numbers do not change.
 */
export function keepClassNames(project: Project): SourceEdits {
  const edits = new Map<string, SourceEdit[]>();
  for (const file of new Set([...project.ownFiles, ...findReachedFiles(project)])) {
    if (file.isDeclarationFile) continue;
    const inFile = file.statements.flatMap((statement) => createEdit(statement) ?? []);
    if (inFile.length > 0) edits.set(relative(project.root, file.fileName).replaceAll("\\", "/"), inFile);
  }
  return edits;
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
