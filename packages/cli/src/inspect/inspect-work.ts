import type { Compilation } from "@tenon/compiler";
import type { CachedWork } from "../cache/build-cache.js";
import { type DeclaredQuestions, listDeclaredQuestions } from "../project/declared-questions.js";

/** The part of a compilation that `tenon inspect` shows. */
export interface InspectedProject extends Pick<Compilation, "manifest" | "diagnostics"> {
  questions: DeclaredQuestions;
}

/**
 * Creates the cached work of `tenon inspect`.
 *
 * @param root the project folder, absolute
 */
export function createInspectWork(root: string): CachedWork<InspectedProject> {
  return {
    root,
    name: "inspect",
    options: {},
    async load() {
      const compiler = await import("@tenon/compiler");
      return (compile = () => compiler.compile({ root, typeCheck: false })) => {
        const compilation = compile();
        const { manifest, diagnostics } = compilation;
        return { ...(manifest && { manifest }), diagnostics, questions: listDeclaredQuestions(compilation) };
      };
    },
  };
}
