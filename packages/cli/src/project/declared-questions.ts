import type { Compilation, DeclarationName, Question } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";

/** What clients may be asked, by the kind and the name or URI of what asks, such as `tool book`. */
export type DeclaredQuestions = Readonly<Record<string, readonly Question[]>>;

/** All that a project's server may ask, as far as its source tells. */
export function declaredQuestions({ manifest, questions }: Compilation): DeclaredQuestions {
  const asked =
    manifest && questions
      ? declaredNames(manifest).map(({ kind, name }) => [`${kind} ${name}`, questions(kind, name)] as const)
      : [];
  return Object.fromEntries(asked.filter(([, found]) => found.length > 0));
}

/** What a server has, by the names that clients know it by. */
export function declaredNames({
  tools,
  prompts,
  resources,
  resourceTemplates,
}: DeclaredLists): DeclarationName[] {
  return [
    ...tools.map(({ definition }) => ({ kind: "tool" as const, name: definition.name })),
    ...prompts.map(({ definition }) => ({ kind: "prompt" as const, name: definition.name })),
    ...resources.map(({ definition }) => ({ kind: "resource" as const, name: definition.uri })),
    ...resourceTemplates.map(({ definition }) => ({
      kind: "resource template" as const,
      name: definition.uriTemplate,
    })),
  ];
}

/** As much of a manifest as is of interest here. */
type DeclaredLists = {
  readonly [List in "tools" | "prompts" | "resources" | "resourceTemplates"]: readonly Pick<
    Manifest[List][number],
    "definition"
  >[];
};
