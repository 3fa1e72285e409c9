import { nearestName } from "@tenon/runtime/nearest-name";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import { ts } from "../project/typescript.js";

/**
 * Holds the scopes that decorators name to those of `auth` in `src/server.ts`, where its type tells them: a misspelt one
 * would be a door that nobody can open.
 */
export function checkScopes(
  { declarations, config }: ServerModel,
  checker: ts.TypeChecker,
  collector: DiagnosticCollector,
): void {
  const known = config?.nameNode && scopesOf(config.nameNode, checker);
  if (!known) return;
  for (const { options, name, decorator } of declarations) {
    const report = collector.reporter(name);
    for (const scope of options.scopes ?? []) {
      if (known.includes(scope)) continue;
      report("scope-unknown", decorator.compilerNode, {
        scope,
        nearest: nearestName(scope, known),
        known,
      });
    }
  }
}

/** The names of the scopes; undefined where `auth` is absent or has scopes of any name. */
function scopesOf(nameNode: ts.Node, checker: ts.TypeChecker): string[] | undefined {
  const call = ts.findAncestor(nameNode, ts.isCallExpression);
  const [options] = call?.arguments ?? [];
  const auth = options && checker.getTypeAtLocation(options).getProperty("auth");
  const scopes = auth && checker.getTypeOfSymbol(auth).getProperty("scopes");
  if (!scopes) return undefined;
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(scopes));
  return type.getStringIndexType() ? undefined : type.getProperties().map((each) => each.name);
}
