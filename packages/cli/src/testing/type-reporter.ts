import type { Diagnostic } from "@tenon/compiler";
import { printDiagnostics } from "../terminal/print-diagnostics.js";
import { processTerminal } from "../terminal/terminal.js";

/** The part of a Vitest reporter that {@link createTypeReporter} implements. */
export interface TypeReporter {
  onTestRunEnd(): Promise<void>;
}

/**
 * Creates a Vitest reporter that prints type errors in tests after the results, and makes the run fail for them. Vitest itself
 * removes types without checking them.
 *
 * @param findErrors returns the diagnostics of the tests
 * @param process receives the output and the exit code
 * @see https://vitest.dev/api/advanced/reporters
 */
export function createTypeReporter(
  findErrors: () => Promise<readonly Diagnostic[]>,
  process: NodeJS.Process,
): TypeReporter {
  return {
    async onTestRunEnd() {
      const diagnostics = await findErrors();
      if (diagnostics.length === 0) return;
      const { err } = processTerminal(process);
      err.write(`${err.paint.red("Tests have type errors.")}\n\n`);
      printDiagnostics(err, diagnostics);
      await err.flush();
      process.exitCode = 1;
    },
  };
}
