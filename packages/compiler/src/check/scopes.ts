import { nearestName } from "@tenon/runtime/nearest-name";
import { Node } from "ts-morph";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { Declaration, ServerModel } from "../model.js";
import { constantValue } from "../project/constant.js";
import type { ts } from "../project/typescript.js";
import { elementsOf, memberNamed, membersOf, originOf } from "../read/literals.js";

/**
 * Holds the scopes that decorators name to those of `auth` in `src/server.ts`, where the source tells them: a misspelt
 * one would be a door that nobody can open, and so would any where nothing says who calls.
 */
export function checkScopes(
  { declarations, config }: ServerModel,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const { auth, hasCallers = false } = config ?? {};
  const needing = declarations.filter(({ options }) => options.scopes && options.scopes.length > 0);
  const [first] = needing;
  if (first && !hasCallers) {
    const [scope = ""] = first.options.scopes ?? [];
    const isConfigured = config !== undefined;
    collector.reporter(first.name)("scopes-without-auth", placeOf(scope, first, checker), {
      scope,
      isConfigured,
    });
  }
  if (!auth) return;
  if (!auth.scopes) {
    if (first && auth.hasAnyScope) {
      const [scope = ""] = first.options.scopes ?? [];
      collector.reporter(first.name)("scopes-unchecked", placeOf(scope, first, checker), { scope });
    }
    return;
  }
  const known = Object.keys(auth.scopes);
  for (const declaration of needing) {
    const report = collector.reporter(declaration.name);
    for (const scope of declaration.options.scopes ?? []) {
      if (known.includes(scope)) continue;
      report("scope-unknown", placeOf(scope, declaration, checker), {
        scope,
        nearest: nearestName(scope, known),
        known,
      });
    }
  }
}

/** Where a decorator names a scope, as near as the source tells. */
function placeOf(scope: string, { kind, call, decorator }: Declaration, checker: ts.TypeChecker): ts.Node {
  const options = call.getArguments()[kind === "resource" ? 1 : 0];
  const literal = Node.isExpression(options) ? originOf(options) : undefined;
  const value = Node.isObjectLiteralExpression(literal)
    ? memberNamed("scopes", membersOf(literal, checker))?.value
    : undefined;
  if (!value) return decorator.compilerNode;
  const named = elementsOf(value)?.find(
    ({ compilerNode }) => constantValue(compilerNode, checker)?.value === scope,
  );
  return (named ?? value).compilerNode;
}
