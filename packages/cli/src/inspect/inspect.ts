import { reuseOrCompute } from "../cache/build-cache.js";
import { createInspectWork, type InspectedProject } from "./inspect-work.js";
import { formatManifestTable } from "./manifest-table.js";
import { hasErrors, printDiagnostics } from "../terminal/print-diagnostics.js";
import { toServerLists } from "../project/manifest-lists.js";
import { findProjectRoot } from "../project/project-root.js";
import type { Terminal } from "../terminal/terminal.js";

/** The options of `tenon inspect`. */
export interface InspectOptions {
  json?: boolean;
  /** Whether to report if an earlier compilation was reused. */
  verbose?: boolean;
}

/** Runs `tenon inspect [dir]`, without building or running the project. Returns the exit code. */
export async function inspect(
  terminal: Terminal,
  folder = ".",
  options: InspectOptions = {},
): Promise<number> {
  const work = createInspectWork(findProjectRoot(folder, terminal.cwd));
  const inspected = await reuseOrCompute(terminal, work, options.verbose);
  const { manifest, diagnostics, questions } = inspected;
  if (!manifest) printDiagnostics(terminal.err, diagnostics);
  if (options.json) {
    terminal.out.write(`${JSON.stringify(toListing(inspected), null, 2)}\n`);
  } else if (manifest) {
    terminal.out.write(formatManifestTable(manifest, terminal.out, questions));
    if (diagnostics.length > 0) terminal.out.write("\n");
    printDiagnostics(terminal.out, diagnostics);
  }
  return isUsable(inspected) ? 0 : 1;
}

/** Returns the definitions as `tools/list` and the other lists send them, with the requests for input of each entry. */
function toListing({ manifest, diagnostics, questions }: InspectedProject): object {
  return {
    ...(manifest
      ? toServerLists(manifest)
      : { tools: [], prompts: [], resources: [], resourceTemplates: [] }),
    ...(manifest?.skills && { skills: manifest.skills.map(({ definition }) => definition) }),
    questions,
    diagnostics,
  };
}

/**
 * Returns whether the listing can be used. An error in one declaration only omits that declaration; an error of the whole
 * project makes the listing unusable.
 */
function isUsable({ manifest, diagnostics }: InspectedProject): boolean {
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
