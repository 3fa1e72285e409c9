import { type ClassMemberTypes, Node } from "ts-morph";
import type { Report } from "../diagnostics/diagnostic.js";
import type { ClassNode, OwnerClass } from "../model.js";
import { packageNameOf, RUNTIME, type RuntimeSymbols } from "../project/runtime-symbols.js";
import { ts } from "../project/typescript.js";
import { withBases } from "./decorated-members.js";
import { findDecorators } from "./decorators.js";

/**
 * Reports methods that a class inherits from one that is compiled already: declarations have no decorators, so these
 * are known from the JavaScript beside them alone.
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
  for (const node of withBases(owner, owners)) {
    const file = node.getSourceFile().compilerNode;
    if (file.isDeclarationFile) {
      const methods = decoratedInJavaScript(node, file.fileName).filter((each) => !read.has(each));
      if (methods.length === 0) continue;
      const from = packageNameOf(file.fileName, new Map());
      report("class-base-compiled", at, { name, base: node.getName(), methods, from });
    } else {
      for (const member of node.getMembers())
        if (findDecorators(member, runtime).length > 0) read.add(nameOf(member));
    }
  }
}

/** `"list-all"()` is called `list-all`. */
function nameOf(member: ClassMemberTypes): string {
  if (!Node.hasName(member)) return "";
  const node = member.getNameNode();
  return Node.isStringLiteral(node) ? node.getLiteralText() : member.getName();
}

/** The methods of a declared class that the JavaScript beside its declaration decorates, whoever has compiled it. */
function decoratedInJavaScript(base: ClassNode, declarations: string): string[] {
  const path = declarations.replace(/\.d\.([cm]?)ts$/, ".$1js");
  const text = path === declarations ? undefined : ts.sys.readFile(path);
  const className = base.getName();
  if (className === undefined || text === undefined || !text.includes(RUNTIME)) return [];
  const code = statementsOf(className, path, text);
  if (!/\b(?:Tool|Prompt|Resource)\b/.test(code)) return [];
  const isKept = /@(?:\w+\.)?(?:Tool|Prompt|Resource)\b/.test(code);
  const names = base.getMembers().flatMap((each) => (Node.isMethodDeclaration(each) ? nameOf(each) : []));
  return [...new Set(names)].filter((name) => {
    const method = escaped(name);
    return (
      new RegExp(`(?:\\bname: ?|\\.prototype, ?|\\d, ?)["']${method}["']`).test(code) ||
      (isKept && new RegExp(`\\)\\s*(?:async\\s+|\\*\\s*)*["']?${method}["']?\\s*\\(`).test(code))
    );
  });
}

/** The statements of a module that make a class and decorate its members. */
function statementsOf(name: string, path: string, text: string): string {
  const className = `${escaped(name)}(?![\\w$])`;
  const places = [
    `\\b(?:class|let|var|const)\\s+_?${className}`,
    `(?<![\\w$])${className}\\.prototype\\b`,
    `, ?${className}\\)`,
    // Where esbuild keeps the decorators of a member.
    "\\b_[\\w$]+_dec\\d* = ",
  ];
  const made = new RegExp(places.join("|"));
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  return file.statements
    .map((each) => text.slice(each.pos, each.end))
    .filter((statement) => made.test(statement))
    .join("\n");
}

function escaped(name: string): string {
  return name.replaceAll(/\W/g, "\\$&");
}
