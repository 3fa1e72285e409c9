import type { Node } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";

/** The tool names that 2025-11-25 allows. Clients that forward names to model providers allow only 64 characters. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const MAX_PORTABLE_CHARACTERS = 64;

/**
 * Checks that clients accept the names, and that no two declarations have the same name.
 *
 * @returns the declarations without those that repeat an earlier name
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names
 */
export function checkNames(model: ServerModel, collector: DiagnosticCollector): Declaration[] {
  const first = new Map<string, Declaration>();
  for (const declaration of model.declarations) {
    const { name, decorator } = declaration;
    const report = collector.createReport(name);
    if (declaration.kind === "tool") {
      if (!TOOL_NAME.test(name.name)) {
        const prefix = declaration.owner.prefixes.find(
          ({ kind, text }) => kind === "tool" && text !== "" && !TOOL_NAME.test(text),
        );
        report("tool-name-invalid", prefix?.decorator ?? findReportedNode(declaration), {
          name: name.name,
          prefix: prefix?.text,
        });
      } else if (name.name.length > MAX_PORTABLE_CHARACTERS)
        report("tool-name-long", findReportedNode(declaration), { name: name.name });
    }
    const identity =
      declaration.kind === "resource" ? `resource ${declaration.uri}` : `${name.kind} ${name.name}`;
    const earlier = first.get(identity);
    if (earlier) {
      report("name-taken", findReportedNode(declaration), {
        kind: name.kind,
        name: declaration.kind === "resource" ? declaration.uri : name.name,
        other: describeDeclaration(earlier),
        owner: declaration.owner.name,
        isInherited: earlier.decorator.compilerNode === decorator.compilerNode,
      });
    } else first.set(identity, declaration);
  }
  return [...first.values()];
}

/** Returns the decorator, or the name of the class if the class inherits the method. */
function findReportedNode({ decorator, owner }: Declaration): Node {
  const isOwn = decorator.getFirstAncestor((each) => each.compilerNode === owner.node.compilerNode);
  return isOwn ? decorator : (owner.node.getNameNode() ?? owner.node);
}

/** Describes the method of a declaration, such as `` `Notes.read` in src/notes.ts ``. */
export function describeDeclaration(declaration: Declaration): string {
  return `\`${declaration.owner.name}.${declaration.methodName}\` in ${declaration.owner.module}`;
}
