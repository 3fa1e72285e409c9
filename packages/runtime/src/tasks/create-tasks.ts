import type { Entries } from "../assembly/entries.js";
import { MemoryTasks } from "./memory-tasks.js";
import type { ServerTasks, TaskSource } from "./server-tasks.js";

/**
 * Undefined for a server of which no tool has tasks.
 *
 * @param shared makes those that the processes of a server have in common, where there is a store
 */
export function createTasks(
  { tools }: Entries,
  source: TaskSource,
  shared: ((source: TaskSource) => ServerTasks) | undefined,
): ServerTasks | undefined {
  if (![...tools.values()].some(({ entry }) => entry.task !== undefined)) return undefined;
  return shared === undefined ? new MemoryTasks(source) : shared(source);
}
