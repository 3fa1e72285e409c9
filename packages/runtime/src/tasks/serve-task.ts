import { declares, missingCapability } from "../ask/capabilities.js";
import type { Forms } from "../ask/served-form.js";
import type { Invocation } from "../connection/invocation.js";
import type { Limits } from "../api/limits.js";
import type { Entries } from "../assembly/entries.js";
import type { ToolEntry } from "../manifest.js";
import type { CallsInProgress } from "../middleware/calls-in-progress.js";
import type { WriteResult } from "../results/envelope.js";
import { TaskAsker } from "./task-asker.js";
import { TaskStore } from "./task-store.js";
import type { Task } from "./task.js";
import { TASKS_CAPABILITY } from "./tasks-extension.js";

export type TaskSupport = NonNullable<ToolEntry["task"]>;

/** The tasks of one server, and how calls become tasks. */
export interface ServerTasks {
  readonly store: TaskStore;
  /** @see serveTask */
  serve(
    invocation: Invocation,
    task: TaskSupport,
    run: () => string | Promise<string>,
  ): string | Promise<string>;
}

interface TaskSource {
  readonly store: TaskStore;
  readonly forms: Forms;
  readonly write: WriteResult;
  readonly inProgress: CallsInProgress;
}

/** Undefined for a server of which no tool has tasks. */
export function createTasks(
  { tools }: Entries,
  limits: Limits,
  forms: Forms,
  write: WriteResult,
  inProgress: CallsInProgress,
): ServerTasks | undefined {
  if (![...tools.values()].some(({ entry }) => entry.task !== undefined)) return undefined;
  const store = new TaskStore(limits);
  return {
    store,
    serve: (invocation, task, run) => serveTask(invocation, task, { store, forms, write, inProgress }, run),
  };
}

/**
 * Serves a call of a tool with tasks: answered at once with a task for clients that know them, and for others
 * when the tool is done, unless it insists on a task.
 *
 * @param run serves the call as any other: its result, as JSON text
 * @throws ProtocolError when the tool needs a task and the client does not know them
 */
function serveTask(
  invocation: Invocation,
  { support, start }: TaskSupport,
  { store, forms, write, inProgress }: TaskSource,
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
    let task: Task | undefined;
    const begin = (): void => {
      // Nobody would hear of a task that begins when the call is over.
      if (task !== undefined || call.done) return;
      if (invocation.asker?.isWaiting === true) {
        throw new Error("startTask() was called while a question is unanswered. Await it first.");
      }
      const begun = store.create(call);
      task = begun;
      // The call is answered, but its handler is still at work.
      const release = inProgress.hold(call);
      const forget = begun.onChange(() => {
        if (begun.isOver && forget()) release();
      });
      invocation.askBy(new TaskAsker(call, forms, begun, invocation.asker));
      if (call.notes !== undefined) call.notes.outcome = "task";
      resolve(write(call.revision, begun.summary, { type: "task" }));
    };
    invocation.offerTask(begin, start);
    const work = async (): Promise<string> => run();
    work().then(
      (result) => (task === undefined ? resolve(result) : task.complete(JSON.parse(result) as object)),
      (error: unknown) => (task === undefined ? reject(error as Error) : task.fail(error)),
    );
  });
}
