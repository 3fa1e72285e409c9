import { hasCapabilities, createMissingCapabilityError } from "../questions/capabilities.js";
import type { Call } from "../connection/call.js";
import type { RunningHandlers } from "./running-handlers.js";
import type { StartedTask, TaskSource, TaskSupport } from "./server-tasks.js";
import { TASKS_CAPABILITY } from "./tasks-extension.js";

/** The parts of the server that `serveTask` needs to turn a call into a task. */
export interface TaskServing {
  readonly source: Pick<TaskSource, "write" | "trackCall">;
  readonly handlers: RunningHandlers;
  /**
   * Begins a task.
   *
   * @throws ProtocolError if there are too many tasks
   */
  begin(call: Call, start: TaskSupport["start"]): StartedTask;
}

/**
 * Serves a call to a tool with tasks. Clients that support tasks receive the task immediately; others receive the
 * result when the tool is done, unless the tool requires tasks.
 *
 * @param run serves the call without a task, and returns its result as JSON text
 * @throws ProtocolError if the tool requires tasks and the client does not support them
 */
export function serveTask(
  call: Call,
  { support, start }: TaskSupport,
  serving: TaskServing,
  run: () => string | Promise<string>,
): string | Promise<string> {
  // Legacy clients cannot declare the extension, and wait for any tool.
  if (!call.revision.hasTasks) return run();
  if (!hasCapabilities(call.client.capabilities, TASKS_CAPABILITY)) {
    if (support === "required") throw createMissingCapabilityError(call, TASKS_CAPABILITY);
    return run();
  }
  return new Promise((resolve, reject) => {
    let task: StartedTask | undefined;
    const begin = (): void => {
      // The client would not learn of a task that begins after the call has ended.
      if (task !== undefined || call.isDone) return;
      if (call.inputRequester?.isWaiting === true) {
        throw new Error("startTask() was called while a question was unanswered. Await the answer first.");
      }
      const started = serving.begin(call, start);
      task = started;
      // The call has a response now, but its handler is still working.
      started.onDone(serving.source.trackCall(call));
      if (started.inputRequester !== undefined) call.inputRequester = started.inputRequester;
      call.reportProgress = (message) => started.report(message);
      if (call.notes !== undefined) call.notes.outcome = "task";
      const acknowledge = (): void =>
        resolve(serving.source.write(call.revision, started.summary, { type: "task" }));
      if (started.recorded === undefined) acknowledge();
      else started.recorded.then(acknowledge, reject);
      if (started.isElsewhere === true) {
        // The middleware around the handler ends as it does for a call that is cancelled.
        call.abort("The call continues as a task in the queue.");
        throw call.signal.reason as Error;
      }
    };
    call.startTask = begin;
    if (start === "call") call.startTaskImmediately = begin;
    const work = (async (): Promise<string> => run())();
    serving.handlers.add(work);
    work.then(
      (result) => (task === undefined ? resolve(result) : task.complete(JSON.parse(result) as object)),
      (error: unknown) => (task === undefined ? reject(error as Error) : task.fail(error)),
    );
  });
}
