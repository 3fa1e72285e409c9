import { findNearestName } from "@tenon/runtime/nearest-name";
import { Node, ts } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";
import { evaluateConstant } from "../typescript/constant.js";
import { isOwnNode } from "../typescript/nodes.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";
import { getElements, findMember, getMembers, findOrigin } from "../read/literals.js";

/**
 * Checks the scopes in decorators against those of `auth` in `src/server.ts`, as far as they are known from the source.
 * No caller could have a misspelled scope, or any scope if callers are not authenticated.
 */
export function checkScopes(
  { declarations, config }: ServerModel,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const { auth, canIdentifyCallers = false } = config ?? {};
  const withScopes = declarations.filter(({ options }) => options.scopes && options.scopes.length > 0);
  const [first] = withScopes;
  if (first && !canIdentifyCallers) {
    const [scope = ""] = first.options.scopes ?? [];
    const isConfigured = config !== undefined;
    collector.createReport(first.name)("scopes-without-auth", findScopeNode(scope, first, checker), {
      scope,
      isConfigured,
    });
  }
  if (first && canIdentifyCallers && config?.stdioScopes !== "unknown") {
    const scopes = [...new Set(withScopes.flatMap(({ options }) => options.scopes ?? []))];
    collector.createReport(first.name)(
      "scopes-unreachable-over-stdio",
      findScopeNode(scopes[0] ?? "", first, checker),
      { scopes, hasPrincipal: config?.stdioScopes === "none" },
    );
  }
  if (!auth) return;
  if (!auth.scopes) {
    if (first && auth.allowsAnyScope) {
      const [scope = ""] = first.options.scopes ?? [];
      collector.createReport(first.name)("scopes-unchecked", findScopeNode(scope, first, checker), { scope });
    }
    return;
  }
  const known = Object.keys(auth.scopes);
  for (const declaration of withScopes) {
    const report = collector.createReport(declaration.name);
    for (const scope of declaration.options.scopes ?? []) {
      if (known.includes(scope)) continue;
      report("scope-unknown", findScopeNode(scope, declaration, checker), {
        scope,
        nearest: findNearestName(scope, known),
        known,
      });
    }
  }
}

/**
 * Reports the first method that requires a `Principal` of a server that does not identify its callers: it could never be
 * called.
 */
export function checkPrincipals(
  { declarations, config }: ServerModel,
  runtime: RuntimeSymbols,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  if (config?.canIdentifyCallers === true) return;
  for (const { name, method, signature } of declarations) {
    const parameter = signature.parameters.find(
      (each) => runtime.getName(checker.getTypeOfSymbol(each).getSymbol()) === "Principal",
    );
    const { valueDeclaration } = parameter ?? {};
    const node = valueDeclaration && ts.isParameter(valueDeclaration) ? valueDeclaration : undefined;
    // Without `strictNullChecks`, the type of an optional parameter is that of a required one.
    if (parameter === undefined || node?.questionToken || node?.initializer) continue;
    const at = node && isOwnNode(node) ? node : method;
    const isConfigured = config !== undefined;
    collector.createReport(name)("principal-without-auth", at, { parameter: parameter.name, isConfigured });
    return;
  }
}

/** Returns the node that names a scope in a decorator, or the closest one in the source. */
function findScopeNode(
  scope: string,
  { kind, call, decorator }: Declaration,
  checker: ts.TypeChecker,
): ts.Node {
  const options = call.getArguments()[kind === "resource" ? 1 : 0];
  const literal = Node.isExpression(options) ? findOrigin(options) : undefined;
  const value = Node.isObjectLiteralExpression(literal)
    ? findMember("scopes", getMembers(literal, checker))?.value
    : undefined;
  if (!value) return decorator.compilerNode;
  const named = getElements(value)?.find(
    ({ compilerNode }) => evaluateConstant(compilerNode, checker)?.value === scope,
  );
  return (named ?? value).compilerNode;
}
