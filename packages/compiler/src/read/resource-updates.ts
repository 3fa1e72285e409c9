import type { Identifier } from "ts-morph";
import { Node, SyntaxKind } from "../typescript/typescript.js";
import type { Project } from "../project/project.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";

const METHOD = "resourceUpdated";

/**
 * Returns whether the author's sources can report a resource update, through `Context.notify` or another `Notify`.
 * Otherwise, clients have nothing to subscribe to.
 */
export function reportsUpdates({ sourceFiles }: Project, runtime: RuntimeSymbols): boolean {
  return sourceFiles.some(
    // Visiting every identifier is slow, and few files contain this one.
    (file) =>
      file.getFullText().includes(METHOD) &&
      file.getDescendantsOfKind(SyntaxKind.Identifier).some((name) => isUpdateReport(name, runtime)),
  );
}

function isUpdateReport(name: Identifier, runtime: RuntimeSymbols): boolean {
  if (name.getText() !== METHOD) return false;
  // `const { resourceUpdated } = ctx.notify`
  if (Node.isBindingElement(name.getParent())) return true;
  const owner = name.getSymbol()?.getValueDeclaration()?.getParent();
  return runtime.getName(owner?.getSymbol()?.compilerSymbol) === "Notify";
}
