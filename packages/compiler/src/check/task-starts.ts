import type { CallExpression } from "ts-morph";
import { Node } from "../typescript/typescript.js";
import type { DiagnosticCollector, Report } from "../diagnostics/diagnostic.js";
import type { Declaration } from "../model.js";
import type { Project } from "../project/project.js";

/** Reports a call to `Context.startTask` in a handler that cannot start a task, so that the call does nothing. */
export function checkTaskStart(
  call: CallExpression,
  declarations: readonly Declaration[],
  report: Report,
): void {
  const method = call.getFirstAncestor((each) => Node.isMethodDeclaration(each))?.compilerNode;
  // An inherited method may be served several times.
  const served = declarations.filter((each) => each.method === method);
  const [first] = served.map(explainNoTask);
  if (first !== undefined && served.every((each) => explainNoTask(each) !== undefined))
    report("task-start-ignored", call, first);
}

/** Reports tools whose handler should start their task, in a project that never mentions `startTask`. */
export function reportUnstartedTasks(
  declarations: readonly Declaration[],
  { sourceFiles }: Project,
  collector: DiagnosticCollector,
): void {
  const waiting = declarations.filter(
    ({ options }) => options.task !== undefined && options.taskStart === "handler",
  );
  if (waiting.length === 0 || sourceFiles.some((file) => /\bstartTask\b/.test(file.getFullText()))) return;
  for (const { name, call } of waiting)
    collector.createReport(name)("task-never-started", call, { tool: name.name });
}

function explainNoTask({
  kind,
  name: { name },
  options,
}: Declaration): { reason: string; edit: string } | undefined {
  if (kind !== "tool")
    return { reason: `only tools have tasks, and \`${name}\` is a ${kind}`, edit: "Remove the call." };
  if (options.task === undefined) {
    const edit = 'Add `task: "optional"` and `taskStart: "handler"` to the options of the tool.';
    return { reason: `the tool \`${name}\` does not run as a task`, edit };
  }
  if (options.taskStart === "handler") return undefined;
  const edit = 'Remove the call, or add `taskStart: "handler"` to the options of the tool.';
  return { reason: `the task of the tool \`${name}\` starts before its method is called`, edit };
}
