import type { Compilation } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import type { SourceLine, SourceLines } from "./page-messages.js";

/** Where everything that a manifest lists is declared. */
export function sourceLines(manifest: Manifest, locate: NonNullable<Compilation["locate"]>): SourceLines {
  const { tools, prompts, resources, resourceTemplates } = manifest;
  const linesOf = (
    kind: Parameters<typeof locate>[0],
    keys: readonly string[],
  ): Record<string, SourceLine> => {
    const found = keys.flatMap((key) => {
      const span = locate(kind, key);
      return span ? [[key, { file: span.file, line: span.start.line }] as const] : [];
    });
    return Object.fromEntries(found);
  };
  return {
    tools: linesOf(
      "tool",
      tools.map(({ definition }) => definition.name),
    ),
    prompts: linesOf(
      "prompt",
      prompts.map(({ definition }) => definition.name),
    ),
    resources: {
      ...linesOf(
        "resource",
        resources.map(({ definition }) => definition.uri),
      ),
      ...linesOf(
        "resource template",
        resourceTemplates.map(({ definition }) => definition.uriTemplate),
      ),
    },
  };
}
