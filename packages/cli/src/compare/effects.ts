import type { SchemaChange, ValueChange } from "./schema/schema-change.js";

/**
 * The meaning of a change for clients:
 *
 * - `breaking`: calls that worked may now fail, or mean something else
 * - `permission`: different callers have access, or the annotations of effects are different
 * - `safe`: clients can do more than before
 * - `wording`: the wording for models and people is different
 */
export type Effect = "breaking" | "permission" | "safe" | "wording";

/** One change to a tool, prompt, or resource, with its effect. */
export interface ContractChange {
  readonly effect: Effect;
  /** The text that follows the name in a report, such as "was removed". */
  readonly message: string;
}

/** Effects by kind of schema change. The effect of a new or removed member takes precedence over that of its values. */
type Effects = Readonly<Partial<Record<ValueChange | NonNullable<SchemaChange["presence"]>, Effect>>>;

/** The effects by the use of the values. */
const EFFECTS = {
  /** Clients send these, so a change that allows fewer values breaks them. */
  arguments: {
    fewer: "breaking",
    more: "safe",
    unknown: "breaking",
    default: "breaking",
    wording: "wording",
    removed: "breaking",
  },
  /** Clients read these, so a change that allows more values breaks them. */
  result: {
    fewer: "safe",
    more: "breaking",
    unknown: "breaking",
    default: "wording",
    wording: "wording",
    new: "safe",
    "new and required": "safe",
    removed: "breaking",
  },
  /** Users fill these in, and always see the current fields. */
  form: {
    fewer: "breaking",
    more: "safe",
    unknown: "breaking",
    default: "wording",
    wording: "wording",
    new: "safe",
  },
} as const satisfies Record<string, Effects>;

const SUBJECTS: Readonly<Record<keyof typeof EFFECTS, (path: string) => string>> = {
  arguments: (path) => (path === "" ? "the arguments object" : `argument \`${path}\``),
  result: (path) => (path === "" ? "the result" : `\`${path}\` of the result`),
  form: (path) => (path === "" ? "the form" : `\`${path}\` in the form`),
};

/**
 * Returns the effects of schema changes on clients, by their use of the values. A change that allows other values instead, such as a
 * new and required argument, is listed once, with what it breaks.
 */
export function toContractChanges(
  use: keyof typeof EFFECTS,
  changes: readonly SchemaChange[],
): ContractChange[] {
  const effects: Effects = EFFECTS[use];
  const found = new Map<string, ContractChange>();
  for (const { change, presence, path, message: predicate } of changes) {
    const effect = (presence && effects[presence]) ?? effects[change];
    const message = `${SUBJECTS[use](path)} ${predicate}`;
    if (effect === "breaking" || (effect !== undefined && !found.has(message)))
      found.set(message, { effect, message });
  }
  return [...found.values()];
}

/** Creates a change that breaks clients. */
export function breaking(message: string): ContractChange {
  return { effect: "breaking", message };
}

/** Creates a change that breaks no client. */
export function safe(message: string): ContractChange {
  return { effect: "safe", message };
}
