import { declares, missingCapability } from "../ask/capabilities.js";
import type { Forms } from "../ask/served-form.js";
import type { Call } from "../connection/call.js";
import type { Limits } from "../api/define-server.js";
import type { Entries } from "../assembly/entries.js";
import type { ToolEntry } from "../manifest.js";
import type { SealResult } from "../protocol/result-envelope.js";
import type { ClientCapabilities } from "../protocol/specification.js";
import { TaskAsker } from "./task-asker.js";
import { TaskStore } from "./task-store.js";
import type { Task } from "./task.js";

export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** What a client declares that knows tasks. */
export const KNOWS_TASKS: ClientCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };

export type TaskSupport = NonNullable<ToolEntry["task"]>;

/** The tasks of one server, and how calls become some. */
export interface TaskServing {
  readonly store: TaskStore;
  /** @see serveTask */
  serve(call: Call, task: TaskSupport, run: () => string | Promise<string>): string | Promise<string>;
}

/** Undefined for a server of which no tool has tasks. */
export function createTasks(
  { tools }: Entries,
  limits: Limits,
  forms: Forms,
  seal: SealResult,
): TaskServing | undefined {
  if (![...tools.values()].some(({ entry }) => entry.task !== undefined)) return undefined;
  const store = new TaskStore(limits);
  return { store, serve: (call, task, run) => serveTask(call, task, { store, forms, seal }, run) };
}

/**
 * Serves a call of a tool with tasks: answered at once with a task for clients that know them, and for others
 * when the tool is done, unless it insists on a task.
 *
 * @param run serves the call as any other: its result, as JSON text
 * @throws ProtocolError when the tool needs a task and the client does not know them
 */
function serveTask(
  call: Call,
  { support, start }: TaskSupport,
  { store, forms, seal }: { store: TaskStore; forms: Forms; seal: SealResult },
  run: () => string | Promise<string>,
): string | Promise<string> {
  // Legacy clients have no way to declare the extension, and wait for any tool.
  if (!call.revision.tasks) return run();
  if (!declares(call.caller.capabilities, KNOWS_TASKS)) {
    if (support === "required") throw missingCapability(call, KNOWS_TASKS);
    return run();
  }
  return new Promise((resolve, reject) => {
    let task: Task | undefined;
    const begin = (): void => {
      if (task !== undefined) return;
      if (call.asker?.isWaiting === true) {
        throw new Error("startTask() was called while a question is unanswered. Await it first.");
      }
      task = store.create(call);
      call.task = task;
      call.asker = new TaskAsker(call, forms, task);
      resolve(seal(call.revision, task.members, undefined, "task"));
    };
    call.startTask = begin;
    const work = async (): Promise<string> => {
      if (start === "call") begin();
      return run();
    };
    work().then(
      (result) => (task === undefined ? resolve(result) : task.complete(result)),
      (error: unknown) => (task === undefined ? reject(error as Error) : task.fail(error)),
    );
  });
}
