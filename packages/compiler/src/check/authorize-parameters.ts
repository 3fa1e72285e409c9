import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import { findOrigin, getMembers } from "../read/literals.js";
import { Node, ts } from "../typescript/typescript.js";
import { findOptions } from "./options.js";

/**
 * Reports each `authorize` callback whose `length` does not count the parameter for the arguments. The server reads
 * `length` to find out whether a callback needs the arguments, and otherwise calls it without them.
 */
export function checkAuthorizeParameters(
  declarations: readonly Declaration[],
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  for (const declaration of declarations) {
    const callback = findAuthorize(declaration, checker);
    const type = callback && checker.getTypeAtLocation(callback.compilerNode);
    if (type?.getCallSignatures().some((signature) => hidesArguments(signature.declaration)))
      collector.createReport(declaration.name)("authorize-arguments-optional", callback, {});
  }
}

function findAuthorize(declaration: Declaration, checker: ts.TypeChecker): Node | undefined {
  const options = findOptions(declaration);
  const literal = options && findOrigin(options);
  if (!Node.isObjectLiteralExpression(literal)) return undefined;
  const member = getMembers(literal, checker).find(({ name }) => name === "authorize");
  return member?.value ?? member?.node;
}

/** Returns whether a function has a second parameter that its `length` does not include. */
function hidesArguments(declaration: ts.SignatureDeclaration | ts.JSDocSignature | undefined): boolean {
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return false;
  const parameters = declaration.parameters.filter(({ name }) => name.getText() !== "this");
  const uncounted = parameters.findIndex(({ initializer, dotDotDotToken }) => initializer ?? dotDotDotToken);
  const hasRest = parameters.at(-1)?.dotDotDotToken !== undefined;
  return uncounted >= 0 && uncounted < 2 && (parameters.length > 1 || hasRest);
}
