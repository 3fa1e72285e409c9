import type { ClassMemberTypes } from "ts-morph";
import { Node, ts } from "../typescript/typescript.js";
import type { Report } from "../diagnostics/diagnostic.js";
import type { ClassNode, OwnerClass } from "../model.js";
import { findPackageName, RUNTIME, type RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { listBases } from "./decorated-members.js";
import { findDecorators } from "./decorators.js";

/**
 * Reports decorated methods that a class inherits from a compiled one. Declaration files have no decorators, so they are
 * found in the JavaScript next to them.
 *
 * @param owners all served classes
 */
export function reportCompiledBases(
  { node: owner, name }: OwnerClass,
  owners: ReadonlyMap<ts.Node, OwnerClass>,
  runtime: RuntimeSymbols,
  report: Report,
): void {
  const at = owner.getExtends();
  if (!at) return;
  const read = new Set<string>();
  for (const node of listBases(owner, owners)) {
    const file = node.getSourceFile().compilerNode;
    if (file.isDeclarationFile) {
      const methods = findDecoratedInJavaScript(node, file.fileName).filter((each) => !read.has(each));
      if (methods.length === 0) continue;
      const from = findPackageName(file.fileName, new Map());
      report("class-base-compiled", at, { name, base: node.getName(), methods, from });
    } else {
      for (const member of node.getMembers())
        if (findDecorators(member, runtime).length > 0) read.add(getName(member));
    }
  }
}

/** Returns the name of a member, without quotes for `"list-all"()`. */
function getName(member: ClassMemberTypes): string {
  if (!Node.hasName(member)) return "";
  const node = member.getNameNode();
  return Node.isStringLiteral(node) ? node.getLiteralText() : member.getName();
}

/** Finds the methods of a declared class that its JavaScript decorates, in the output of any compiler. */
function findDecoratedInJavaScript(base: ClassNode, declarations: string): string[] {
  const path = declarations.replace(/\.d\.([cm]?)ts$/, ".$1js");
  const text = path === declarations ? undefined : ts.sys.readFile(path);
  const className = base.getName();
  if (className === undefined || text === undefined || !text.includes(RUNTIME)) return [];
  const code = findStatements(className, path, text);
  if (!/\b(?:Tool|Prompt|Resource)\b/.test(code)) return [];
  const hasDecorators = /@(?:\w+\.)?(?:Tool|Prompt|Resource)\b/.test(code);
  const names = base.getMembers().flatMap((each) => (Node.isMethodDeclaration(each) ? getName(each) : []));
  return [...new Set(names)].filter((name) => {
    const method = escapeName(name);
    return (
      new RegExp(`(?:\\bname: ?|\\.prototype, ?|\\d, ?)["']${method}["']`).test(code) ||
      (hasDecorators && new RegExp(`\\)\\s*(?:async\\s+|\\*\\s*)*["']?${method}["']?\\s*\\(`).test(code))
    );
  });
}

/** Returns the statements of a module that create a class and decorate its members. */
function findStatements(name: string, path: string, text: string): string {
  const className = `${escapeName(name)}(?![\\w$])`;
  const patterns = [
    `\\b(?:class|let|var|const)\\s+_?${className}`,
    `(?<![\\w$])${className}\\.prototype\\b`,
    `, ?${className}\\)`,
    // esbuild stores the decorators of a member in these variables.
    "\\b_[\\w$]+_dec\\d* = ",
  ];
  const relevant = new RegExp(patterns.join("|"));
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  return file.statements
    .map((each) => text.slice(each.pos, each.end))
    .filter((statement) => relevant.test(statement))
    .join("\n");
}

function escapeName(name: string): string {
  return name.replaceAll(/\W/g, "\\$&");
}
