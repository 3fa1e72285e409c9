import type { Compilation, Question } from "@tenon/compiler";
import { listDeclaredEntries } from "./declared-entries.js";

/** The requests for input that handlers can make, by kind and name or URI of the entry, such as `tool book`. */
export type DeclaredQuestions = Readonly<Record<string, readonly Question[]>>;

/** Lists all requests for input that the source of a project contains. */
export function listDeclaredQuestions({ manifest, listQuestions }: Compilation): DeclaredQuestions {
  const entries =
    manifest && listQuestions
      ? listDeclaredEntries(manifest).map(
          ({ kind, name }) => [`${kind} ${name}`, listQuestions(kind, name)] as const,
        )
      : [];
  return Object.fromEntries(entries.filter(([, found]) => found.length > 0));
}
