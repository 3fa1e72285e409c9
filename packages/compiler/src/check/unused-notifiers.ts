import { SyntaxKind } from "../typescript/typescript.js";
import type { DiagnosticCollector } from "../diagnostics/diagnostic.js";
import type { ServerModel } from "../model.js";
import type { Project } from "../project/project.js";
import { findNameNode } from "../read/decorators.js";
import type { RuntimeSymbols } from "../typescript/runtime-symbols.js";

/** Reports notifiers that the configuration does not pass to the server, so no client receives their notifications. */
export function checkNotifiers(
  { config }: Pick<ServerModel, "config">,
  { sourceFiles }: Project,
  runtime: RuntimeSymbols,
  collector: DiagnosticCollector,
): void {
  // Searching every expression of a program is slow, and few files create notifiers.
  const files = sourceFiles.filter((file) => file.getFullText().includes("createNotifier"));
  const names = files
    .flatMap((file) => file.getDescendantsOfKind(SyntaxKind.CallExpression))
    .map((call) => ({ call, name: findNameNode(call.getExpression()) }))
    .filter(({ name }) => runtime.getName(name.getSymbol()?.compilerSymbol) === "createNotifier");
  const used = config?.notifier;
  // The server's notifier may come from elsewhere, or forward what others report.
  const isKnown = used === undefined || names.some(({ call }) => call === used);
  if (!isKnown || (used && sourceFiles.some((file) => file.getFullText().includes(".onChange(")))) return;
  const report = collector.createReport();
  for (const { call, name } of names) if (call !== used) report("notifier-not-configured", name, {});
}
