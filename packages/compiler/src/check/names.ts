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
      const shown = declaration.kind === "resource" ? declaration.uri : name.name;
      report("name-taken", decorator, { kind: name.kind, name: shown, other: placeOf(earlier) });
    } else first.set(identity, declaration);
  }
  return [...first.values()];
}

function placeOf(declaration: Declaration): string {
  return `\`${declaration.owner.name}.${declaration.methodName}\` in ${declaration.owner.module}`;
}
