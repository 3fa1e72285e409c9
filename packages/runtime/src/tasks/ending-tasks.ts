import { withTimeout } from "../transports/with-timeout.js";
import type { EndingTasks } from "../transports/drain.js";
import { POLL_INTERVAL_MS } from "./task-status.js";
import type { Task } from "./task.js";

/** Who asks every so often, as clients are told to, has asked within this time. */
const TIME_TO_ASK_MS = 2 * POLL_INTERVAL_MS;

/**
 * How tasks end that live in this process alone.
 *
 * @param tasks those that are kept, at the time; some may still come, of calls in progress
 */
export function createEndingTasks(tasks: () => Iterable<Task>): EndingTasks {
  const working = (): Task[] => [...tasks()].filter(({ isOver }) => !isOver);
  const over = async (): Promise<void> => {
    for (let left = working(); left.length > 0; left = working()) {
      await Promise.all(left.map((task) => task.whenOver()));
    }
  };
  return {
    over,
    known: async () => {
      await over();
      await Promise.all(Array.from(tasks(), knownOrTooLate));
    },
    finish: (reason) => {
      for (const task of working()) task.finish(reason);
    },
    stop: (reason) => {
      for (const task of working()) task.leave(reason);
    },
    abandon: (reason) => {
      for (const task of working()) task.abandon(reason);
    },
  };
}

async function knownOrTooLate(task: Task): Promise<void> {
  const { unknownForMs } = task;
  if (unknownForMs === 0 || unknownForMs >= TIME_TO_ASK_MS) return;
  await withTimeout(TIME_TO_ASK_MS - unknownForMs, task.whenEndKnown());
}
