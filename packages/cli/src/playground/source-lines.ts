import type { Compilation } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";
import { listDeclaredEntries, type EntryKind } from "../project/declared-entries.js";
import type { SourceLine, SourceLines } from "./page-messages.js";

/** Returns the locations of all declarations in a manifest. */
export function findSourceLines(manifest: Manifest, locate: NonNullable<Compilation["locate"]>): SourceLines {
  const findLines = (...kinds: EntryKind[]): Record<string, SourceLine> => {
    const found = listDeclaredEntries(manifest).flatMap(({ kind, name }) => {
      const span = kinds.includes(kind) ? locate(kind, name) : undefined;
      return span ? [[name, { file: span.file, line: span.start.line }] as const] : [];
    });
    return Object.fromEntries(found);
  };
  return {
    tools: findLines("tool"),
    prompts: findLines("prompt"),
    resources: findLines("resource", "resource template"),
  };
}
