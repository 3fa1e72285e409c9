import type { ToolDeclaration } from "../model.js";
import type { ts } from "../typescript/typescript.js";

/** Returns the parameter, or the property of the arguments object, at the start of a path. */
export function findArgumentNode(
  { signature, method }: ToolDeclaration,
  [name = ""]: readonly string[],
  checker: ts.TypeChecker,
): ts.Node {
  const file = method.getSourceFile();
  const candidates = signature.parameters.flatMap((parameter) => {
    if (parameter.name === name) return parameter.valueDeclaration;
    return checker.getTypeOfSymbol(parameter).getProperty(name)?.valueDeclaration;
  });
  return candidates.find((each) => each?.getSourceFile() === file) ?? method.name;
}
