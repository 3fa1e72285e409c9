import type { Node } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";

/** 2025-11-25 allows 1 to 128 of these; clients that pass names on to model providers stop at 64. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const SAFE_LENGTH = 64;

/**
 * Names that clients accept, and no two declarations under one name.
 *
 * @returns the declarations left when the later of two with one name is taken out
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names
 */
export function checkNames(model: ServerModel, collector: DiagnosticCollector): Declaration[] {
  const first = new Map<string, Declaration>();
  for (const declaration of model.declarations) {
    const { name, decorator } = declaration;
    const report = collector.reporter(name);
    if (declaration.kind === "tool") {
      if (!TOOL_NAME.test(name.name)) report("tool-name-invalid", decorator, { name: name.name });
      else if (name.name.length > SAFE_LENGTH) report("tool-name-long", decorator, { name: name.name });
    }
    const identity =
      declaration.kind === "resource" ? `resource ${declaration.uri}` : `${name.kind} ${name.name}`;
    const earlier = first.get(identity);
    if (earlier) {
      report("name-taken", placeToShow(declaration), {
        kind: name.kind,
        name: declaration.kind === "resource" ? declaration.uri : name.name,
        other: placeOf(earlier),
        owner: declaration.owner.name,
        isInherited: earlier.decorator.compilerNode === decorator.compilerNode,
      });
    } else first.set(identity, declaration);
  }
  return [...first.values()];
}

/** The decorator or, when the class inherits it, the name of the class. */
function placeToShow({ decorator, owner }: Declaration): Node {
  const isOwn = decorator.getFirstAncestor((each) => each.compilerNode === owner.node.compilerNode);
  return isOwn ? decorator : (owner.node.getNameNode() ?? owner.node);
}

function placeOf(declaration: Declaration): string {
  return `\`${declaration.owner.name}.${declaration.methodName}\` in ${declaration.owner.module}`;
}
