import { declares, missingCapability } from "../ask/questions/capabilities.js";
import type { Invocation } from "../connection/invocation.js";
import type { CallsInProgress } from "../middleware/calls-in-progress.js";
import type { WriteResult } from "../results/envelope.js";
import type { RunningHandlers } from "./running-handlers.js";
import type { TaskRun, TaskSupport } from "./server-tasks.js";
import { TASKS_CAPABILITY } from "./tasks-extension.js";

/** How calls become tasks. */
export interface TaskServing {
  readonly write: WriteResult;
  readonly inProgress: CallsInProgress;
  readonly handlers: RunningHandlers;
  /** @throws ProtocolError when there is no place for one more */
  begin(invocation: Invocation, start: TaskSupport["start"]): TaskRun;
}

/**
 * Serves a call of a tool with tasks: answered at once with a task for clients that know them, and for others
 * when the tool is done, unless it insists on a task.
 *
 * @param run serves the call as any other: its result, as JSON text
 * @throws ProtocolError when the tool needs a task and the client does not know them
 */
export function serveTask(
  invocation: Invocation,
  { support, start }: TaskSupport,
  serving: TaskServing,
  run: () => string | Promise<string>,
): string | Promise<string> {
  const { call } = invocation;
  // Legacy clients have no way to declare the extension, and wait for any tool.
  if (!call.revision.tasks) return run();
  if (!declares(call.client.capabilities, TASKS_CAPABILITY)) {
    if (support === "required") throw missingCapability(call, TASKS_CAPABILITY);
    return run();
  }
  return new Promise((resolve, reject) => {
    let task: TaskRun | undefined;
    const begin = (): void => {
      // Nobody would hear of a task that begins when the call is over.
      if (task !== undefined || call.done) return;
      if (invocation.asker?.isWaiting === true) {
        throw new Error("startTask() was called while a question is unanswered. Await it first.");
      }
      const begun = serving.begin(invocation, start);
      task = begun;
      // The call is answered, but its handler is still at work.
      begun.onOver(serving.inProgress.hold(call));
      if (begun.asker !== undefined) invocation.askBy(begun.asker);
      invocation.reportBy((message) => begun.report(message));
      if (call.notes !== undefined) call.notes.outcome = "task";
      const acknowledge = (): void => resolve(serving.write(call.revision, begun.summary, { type: "task" }));
      if (begun.kept === undefined) acknowledge();
      else begun.kept.then(acknowledge, reject);
      if (begun.isElsewhere === true) {
        // The middleware around the handler ends as it does for a call that is cancelled.
        call.leave("The call goes on as a task, in the queue.");
        throw call.signal.reason as Error;
      }
    };
    invocation.offerTask(begin, start);
    const work = (async (): Promise<string> => run())();
    serving.handlers.add(work);
    work.then(
      (result) => (task === undefined ? resolve(result) : task.complete(JSON.parse(result) as object)),
      (error: unknown) => (task === undefined ? reject(error as Error) : task.fail(error)),
    );
  });
}
