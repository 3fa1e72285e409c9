import { createCompiler, type Compiler, type Diagnostic } from "@tenon/compiler";
import pc from "picocolors";
import { hasErrors, printDiagnostics } from "../../terminal/print-diagnostics.js";
import type { FromThread, ThreadData, Verdict } from "./compiler-thread.js";
import type { ProjectChange } from "../watch.js";

/**
 * Compiles one project again and again. What can be served is said as soon as it is known, the verdict on all of
 * the project after it.
 *
 * @returns what compiles the project, or what has changed in it, one change after the other; it never throws
 */
export function createCompileJob(
  { root, color }: ThreadData,
  say: (message: FromThread) => void,
): (change?: ProjectChange) => Promise<void> {
  const create = (): Compiler => createCompiler({ root, typeCheck: false });
  let compiler = create();
  let warned = new Set<string>();

  /** Errors are in the way and told every time; a warning is told until it has been told. */
  const verdictOn = (diagnostics: readonly Diagnostic[]): Verdict => {
    const fresh = diagnostics.filter((each) => each.severity === "error" || !warned.has(warningKey(each)));
    warned = new Set(diagnostics.map(warningKey));
    let text = "";
    const write = (more: string): void => {
      text += more;
    };
    printDiagnostics({ write, color, paint: pc.createColors(color) }, fresh);
    return { text, refused: hasErrors(diagnostics) };
  };

  const work = async (change?: ProjectChange): Promise<void> => {
    try {
      if (!change || change.settings) compiler = create();
      else compiler.refresh(change.files);
      const compilation = compiler.compile();
      const { manifest, sourceEdits = new Map() } = compilation;
      const modules = await compilation.emit?.();
      say({ server: manifest && modules && { manifest, modules, sourceEdits } });
      say({ verdict: verdictOn(await compilation.checked()) });
    } catch (failed) {
      say({ failed });
    }
  };
  let last = Promise.resolve();
  return (change) => (last = last.then(() => work(change)));
}

/** Tells warnings apart wherever the edit has moved them. */
function warningKey({ code, message, span }: Diagnostic): string {
  return JSON.stringify([code, message, span?.file]);
}
