import type { DeclarationName } from "@tenon/compiler";
import type { Manifest } from "@tenon/runtime/manifest";

/** The lists of a manifest in display order, with the property that identifies their entries. */
const LISTS = {
  tool: { list: "tools", key: "name" },
  prompt: { list: "prompts", key: "name" },
  resource: { list: "resources", key: "uri" },
  "resource template": { list: "resourceTemplates", key: "uriTemplate" },
} as const;

/** The kind of an entry, such as `tool`. */
export type EntryKind = DeclarationName["kind"];

/** All kinds, in display order. */
export const ENTRY_KINDS = Object.keys(LISTS) as readonly EntryKind[];

type ListName = (typeof LISTS)[EntryKind]["list"];

/** The part of a manifest that names its entries. */
export type DeclaredLists = {
  readonly [List in ListName]: readonly Pick<Manifest[List][number], "definition">[];
};

/** A tool, prompt, resource, or resource template, under the name or URI that clients know it by. */
export interface DeclaredEntry<Entry> extends DeclarationName {
  readonly entry: Entry;
}

/**
 * Returns all entries of a manifest or a part of it, whatever their kind: tools first, resource templates last.
 *
 * @example
 * listDeclaredEntries(manifest).map(({ kind, name }) => `${kind} ${name}`) // ["tool book", "resource climate://now"]
 */
export function listDeclaredEntries<Lists extends DeclaredLists>(
  lists: Lists,
): DeclaredEntry<Lists[ListName][number]>[] {
  return ENTRY_KINDS.flatMap((kind) => {
    const { list, key } = LISTS[kind];
    return (lists[list] as readonly Lists[ListName][number][]).map((entry) => {
      const { [key]: name } = entry.definition as Partial<Record<typeof key, string>>;
      return { kind, name: name ?? "", entry };
    });
  });
}
