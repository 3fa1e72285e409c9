import type { Entries } from "../assembly/entries.js";
import { MemoryTasks } from "./memory-tasks.js";
import type { ServerTasks, TaskSource } from "./server-tasks.js";

const NO_STORE =
  "`tasks` of defineServer() needs a `store`, where every process finds what is known of a task. " +
  "`store: redis(…)` of @tenon/runtime/redis is one.";

/**
 * Undefined for a server of which no tool has tasks.
 *
 * @param shared makes those that the processes of a server have in common, where there is a store
 * @throws TypeError for a queue without a store
 */
export function createTasks(
  { tools }: Entries,
  source: TaskSource,
  shared: ((source: TaskSource) => ServerTasks) | undefined,
): ServerTasks | undefined {
  if (source.executor !== undefined && shared === undefined) throw new TypeError(NO_STORE);
  if (![...tools.values()].some(({ entry }) => entry.task !== undefined)) return undefined;
  return shared === undefined ? new MemoryTasks(source) : shared(source);
}
