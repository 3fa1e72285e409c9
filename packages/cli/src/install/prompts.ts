/** A question that VS Code asks before it starts a server. It stores the answer encrypted. */
export interface Prompt {
  readonly type: "promptString";
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

/** The changed list of prompts of a configuration. */
export interface PromptChanges {
  readonly after: readonly unknown[];
  /** The positions of removed prompts, last first. */
  readonly removed: readonly number[];
  readonly added: readonly Prompt[];
}

/**
 * Returns the reference to a prompt.
 *
 * @example
 * toPromptReference({ name: "API_KEY" }, "weather") // "${input:weather_API_KEY}"
 */
export function toPromptReference({ name }: { readonly name: string }, server: string): string {
  return `\${input:${toPromptId(name, server)}}`;
}

/** Creates the prompt for a variable or header of a server. */
export function createPrompt({ name }: { readonly name: string }, server: string): Prompt {
  return {
    type: "promptString",
    id: toPromptId(name, server),
    description: `${name} of ${server}`,
    password: true,
  };
}

/**
 * Adds the prompts of a server, and removes those that only its previous entry used. Existing prompts stay as they are.
 *
 * @param before the list in the configuration
 * @param servers the previous and the new list of servers
 */
export function changePrompts(
  before: readonly unknown[],
  added: readonly Prompt[],
  servers: { readonly before: unknown; readonly after: unknown },
): PromptChanges {
  const isUnused = (prompt: unknown): boolean =>
    isUsed(prompt, servers.before) && !isUsed(prompt, servers.after);
  const removed = [...before.keys()].filter((index) => isUnused(before[index])).toReversed();
  const kept = before.filter((each) => !isUnused(each));
  const missing = added.filter(({ id }) => !kept.some((each) => getId(each) === id));
  return { after: [...kept, ...missing], removed, added: missing };
}

function toPromptId(name: string, server: string): string {
  return `${server}_${name}`.replaceAll(/\W/g, "_");
}

function isUsed(prompt: unknown, servers: unknown): boolean {
  const id = getId(prompt);
  return typeof id === "string" && JSON.stringify(servers ?? {}).includes(`\${input:${id}}`);
}

function getId(prompt: unknown): unknown {
  return (Object(prompt) as Record<string, unknown>)["id"];
}
