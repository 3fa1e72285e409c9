import { compile, type Compilation } from "@tenon/compiler";
import { formatManifestTable } from "./manifest-table.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { listQuestions } from "../project/declared-questions.js";
import { toServerLists } from "../project/manifest-lists.js";
import { resolveProjectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

/** The options of `tenon inspect`. */
export interface InspectOptions {
  json?: boolean;
}

/** Runs `tenon inspect [dir]`, without building or running the project. */
export function inspect(terminal: Terminal, folder = ".", options: InspectOptions = {}): number {
  const compilation = compile({ root: resolveProjectRoot(folder, terminal.cwd), typeCheck: false });
  const { manifest, diagnostics } = compilation;
  if (!manifest) {
    printDiagnostics(terminal.err, diagnostics);
    return 1;
  }
  if (options.json) {
    terminal.out.write(`${JSON.stringify(toListing(compilation), null, 2)}\n`);
  } else {
    terminal.out.write(formatManifestTable(manifest, terminal.out, listQuestions(compilation)));
    if (diagnostics.length > 0) terminal.out.write("\n");
    printDiagnostics(terminal.out, diagnostics);
  }
  return isUsable(compilation) ? 0 : 1;
}

/** Returns the definitions as `tools/list` and the other lists send them, with the requests for input of each entry. */
function toListing(compilation: Compilation): object {
  const { manifest, diagnostics } = compilation;
  return {
    ...(manifest
      ? toServerLists(manifest)
      : { tools: [], prompts: [], resources: [], resourceTemplates: [] }),
    ...(manifest?.skills && { skills: manifest.skills.map(({ definition }) => definition) }),
    questions: listQuestions(compilation),
    diagnostics,
  };
}

/**
 * Returns whether the listing can be used. An error in one declaration only omits that declaration; an error of the whole
 * project makes the listing unusable.
 */
function isUsable({ manifest, diagnostics }: Compilation): boolean {
  if (!manifest) return false;
  if (!hasErrors(diagnostics)) return true;
  const { tools, prompts, resources, resourceTemplates, skills = [] } = manifest;
  const served = [tools, prompts, resources, resourceTemplates, skills];
  return (
    served.some((entries) => entries.length > 0) &&
    diagnostics.every(
      ({ severity, declaration, skill }) =>
        severity !== "error" || declaration !== undefined || skill !== undefined,
    )
  );
}
