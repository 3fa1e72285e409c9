import type {
  Entry,
  Manifest,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  ToolEntry,
} from "@tenon/runtime/manifest";
import {
  type DeclaredEntry,
  listDeclaredEntries,
  ENTRY_KINDS,
  type EntryKind,
} from "../project/declared-entries.js";
import type { DeclaredQuestions } from "../project/declared-questions.js";
import type { Converted, EntryLimits } from "./bigint-limits.js";
import { type Pair, pairByName } from "./pair-by-name.js";

/** A tool, prompt, or resource as clients see it, with what it accepts, its permissions, rate limit, and task support. */
export type EntryDescription<Definition> = Pick<
  Entry<Definition>,
  "definition" | "scopes" | "guards" | "rateLimit" | "lists" | "completes"
> &
  Pick<Partial<ToolEntry>, "task" | "input" | "unknownArguments" | "view" | "visibility"> & {
    /** The limits of bigints, in a contract. A manifest has them in `input` and `output`. */
    readonly bigintLimits?: EntryLimits;
    readonly output?: Converted;
  };

/** A server as clients see it, with its permissions but not its implementation: a part of its manifest. */
export interface ServerDescription extends Pick<
  Manifest,
  "auth" | "rateLimit" | "instructions" | "resourceUpdates" | "toolSearch" | "views" | "skills"
> {
  readonly tools: readonly EntryDescription<Tool>[];
  readonly prompts: readonly EntryDescription<Prompt>[];
  readonly resources: readonly EntryDescription<Resource>[];
  readonly resourceTemplates: readonly EntryDescription<ResourceTemplate>[];
  /** The requests that each entry may send to a client, by its kind and its name or URI. Absent if unknown, as in older contracts. */
  readonly questions?: DeclaredQuestions;
}

interface Definitions {
  tool: Tool;
  prompt: Prompt;
  resource: Resource;
  "resource template": ResourceTemplate;
}

export type Definition = Definitions[EntryKind];

/** Compares two definitions of one kind. */
export type Comparison<Kind extends EntryKind, Result> = (
  before: Definitions[Kind],
  after: Definitions[Kind],
) => Result;

/** A tool, prompt, or resource in two descriptions, under its name or URI. */
export interface EntryPair extends Pair<EntryDescription<Definition>> {
  readonly kind: EntryKind;
}

/** Pairs the entries of two servers, kind by kind. */
export function pairEntries(before: ServerDescription, after: ServerDescription): EntryPair[] {
  return ENTRY_KINDS.flatMap((kind) => {
    const listOfKind = (server: ServerDescription): DeclaredEntry<EntryDescription<Definition>>[] =>
      listDeclaredEntries(server).filter((each) => each.kind === kind);
    return pairByName(listOfKind(before), listOfKind(after), ({ name }) => name).map(
      ({ name, before, after }) => ({
        kind,
        name,
        before: before?.entry,
        after: after?.entry,
      }),
    );
  });
}
