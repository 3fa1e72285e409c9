import { SyntaxKind } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import { findNameNode } from "../read/decorators.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";

/** Reports notifiers in a server whose configuration has none: what they report reaches no client. */
export function checkNotifiers(
  { config }: Pick<ServerModel, "config">,
  { sourceFiles }: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  if (config?.hasNotifier === true) return;
  const report = collector.reporter();
  for (const file of sourceFiles) {
    // Searching every expression of a program is slow, and few files create notifiers.
    if (!file.getFullText().includes("createNotifier")) continue;
    for (const call of file.getDescendantsOfKind(SyntaxKind.CallExpression)) {
      const name = findNameNode(call.getExpression());
      if (runtime.getName(name.getSymbol()?.compilerSymbol) === "createNotifier")
        report("notifier-not-configured", name, {});
    }
  }
}
