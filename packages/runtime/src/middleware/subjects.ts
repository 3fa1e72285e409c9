import type { Entries } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import type { Entry } from "../manifest.js";

/** A handler, and what it is called in messages. */
export interface Subject {
  /** Such as `tool "book"`; resources are known by their URIs. */
  readonly subject: string;
  readonly entry: Pick<Entry<unknown>, "rateLimit" | "timeoutMs">;
  readonly handler: Handler;
}

/** Everything served. */
export function* subjects({ tools, prompts, resources, templates }: Entries): Iterable<Subject> {
  const kinds = [
    ["tool", tools],
    ["prompt", prompts],
    ["resource", resources],
    ["resource", templates],
  ] as const;
  for (const [noun, all] of kinds) {
    for (const [key, { entry, handler }] of all) yield { subject: `${noun} "${key}"`, entry, handler };
  }
}
