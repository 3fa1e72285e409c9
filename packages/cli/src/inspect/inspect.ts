import { compile, type Compilation } from "@tenon/compiler";
import { manifestTable } from "./manifest-table.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { declaredQuestions } from "../project/declared-questions.js";
import { projectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

export interface InspectOptions {
  json?: boolean;
}

/** `tenon inspect [dir]`: what a client will see, without building or running anything. */
export function inspect(terminal: Terminal, folder = ".", options: InspectOptions = {}): number {
  const compilation = compile({ root: projectRoot(folder, terminal.cwd), typeCheck: false });
  const { manifest, diagnostics } = compilation;
  if (!manifest) {
    printDiagnostics(terminal.err, diagnostics);
    return 1;
  }
  if (options.json) {
    terminal.out.write(`${JSON.stringify(listing(compilation), null, 2)}\n`);
  } else {
    terminal.out.write(manifestTable(manifest, terminal.out, declaredQuestions(compilation)));
    if (diagnostics.length > 0) terminal.out.write("\n");
    printDiagnostics(terminal.out, diagnostics);
  }
  return isUsable(compilation) ? 0 : 1;
}

/** The definitions exactly as `tools/list` and its siblings send them, and what no list tells: what each may ask. */
function listing(compilation: Compilation): object {
  const { manifest, diagnostics } = compilation;
  return {
    tools: manifest?.tools.map(({ definition }) => definition) ?? [],
    prompts: manifest?.prompts.map(({ definition }) => definition) ?? [],
    resources: manifest?.resources.map(({ definition }) => definition) ?? [],
    resourceTemplates: manifest?.resourceTemplates.map(({ definition }) => definition) ?? [],
    questions: declaredQuestions(compilation),
    diagnostics,
  };
}

/** Refused declarations are listed and leave the rest as it is; an error of the whole project does not. */
function isUsable({ manifest, diagnostics }: Compilation): boolean {
  if (!manifest) return false;
  if (!hasErrors(diagnostics)) return true;
  const served = [manifest.tools, manifest.prompts, manifest.resources, manifest.resourceTemplates];
  return (
    served.some((entries) => entries.length > 0) &&
    diagnostics.every(({ severity, declaration }) => severity !== "error" || declaration !== undefined)
  );
}
