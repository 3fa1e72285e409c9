import type { Entries } from "../assembly/entries.js";
import { memoryStore } from "../../store/memory-store.js";
import type { ServerTasks, TaskSource } from "./server-tasks.js";
import { TaskRecords } from "./task-records.js";
import { Tasks } from "./tasks.js";

const NO_STORE =
  "`tasks` of defineServer() needs a `store`, in which every process finds the tasks. " +
  "Add one, such as `store: redis(…)` from @tenon/runtime/redis.";

/**
 * Creates the tasks of a server.
 *
 * @param shared creates tasks that processes share, if there is a store
 * @returns undefined if no tool has tasks
 * @throws TypeError for a queue without a store
 */
export function createTasks(
  { tools }: Entries,
  source: TaskSource,
  shared: ((source: TaskSource) => ServerTasks) | undefined,
): ServerTasks | undefined {
  if (source.executor !== undefined && shared === undefined) throw new TypeError(NO_STORE);
  if (![...tools.values()].some(({ entry }) => entry.task !== undefined)) return undefined;
  if (shared !== undefined) return shared(source);
  const records = new TaskRecords({ store: memoryStore(), toKey: (text) => text, maxBytes: Infinity });
  return new Tasks(source, records);
}
