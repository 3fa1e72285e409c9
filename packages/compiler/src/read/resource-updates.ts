import { Node, SyntaxKind, type Identifier } from "ts-morph";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../project/runtime-symbols.js";

const METHOD = "resourceUpdated";

/**
 * True when the author's sources can report that a resource was updated, by `Context.notify` or any other `Notify`. Only
 * then is there something that clients could subscribe to.
 */
export function reportsUpdates({ sourceFiles }: Project, runtime: RuntimeSymbols): boolean {
  return sourceFiles.some(
    // Looking at every name of a program is slow, and hardly any file has this one.
    (file) =>
      file.getFullText().includes(METHOD) &&
      file.getDescendantsOfKind(SyntaxKind.Identifier).some((name) => isReport(name, runtime)),
  );
}

function isReport(name: Identifier, runtime: RuntimeSymbols): boolean {
  if (name.getText() !== METHOD) return false;
  // `const { resourceUpdated } = ctx.notify`
  if (Node.isBindingElement(name.getParent())) return true;
  const owner = name.getSymbol()?.getValueDeclaration()?.getParent();
  return runtime.nameOf(owner?.getSymbol()?.compilerSymbol) === "Notify";
}
