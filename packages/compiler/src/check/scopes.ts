import { nearestName } from "@tenon/runtime/nearest-name";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";

/**
 * Holds the scopes that decorators name to those of `auth` in `src/server.ts`, where the source tells them: a misspelt
 * one would be a door that nobody can open.
 */
export function checkScopes({ declarations, config }: ServerModel, collector: DiagnosticCollector): void {
  if (!config?.auth?.scopes) return;
  const known = Object.keys(config.auth.scopes);
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
