import type { Principal } from "../../api/caller.js";
import type { Limits } from "../../api/limits.js";
import type { LogSink } from "../../api/log.js";
import type { TaskExecutor } from "../../api/task-executor.js";
import type { InputRequester } from "../questions/question.js";
import type { Forms } from "../questions/served-form.js";
import type { Dispatcher } from "../connection/dispatcher.js";
import type { Call } from "../connection/call.js";
import type { ToolEntry } from "../../manifest.js";
import type { WriteResult } from "../../data/results/envelope.js";
import type { DrainableTasks } from "../../transports/drain.js";

export type TaskSupport = NonNullable<ToolEntry["task"]>;

/** The parts of a server that tasks need. */
export interface TaskSource {
  readonly limits: Limits;
  readonly forms: Forms;
  readonly write: WriteResult;
  /** Counts a call among those in progress until the returned function is called. */
  trackCall(call: Call): () => void;
  /** Returns the scopes that a tool needs. */
  getScopes(tool: unknown): readonly string[] | undefined;
  /** Returns whether the author's `authorize` callback of a tool decides based on its arguments. */
  authorizesArguments(tool: unknown): boolean;
  readonly serverName: string;
  readonly log: LogSink;
  /** Decides which process works on a task. Default: the one that received the call. */
  readonly executor: TaskExecutor | undefined;
}

/** The tasks of one server, and how calls become tasks. */
export interface ServerTasks {
  /**
   * Serves a call to a tool with tasks.
   *
   * @param run serves the call without a task, and returns its result as JSON text
   */
  serve(call: Call, support: TaskSupport, run: () => string | Promise<string>): string | Promise<string>;
  /** Finds a task of this principal. Tasks of others do not exist for it. */
  find(id: unknown, principal: Principal | undefined): FoundTask | undefined | Promise<FoundTask | undefined>;
  /**
   * Watches tasks, ignoring those that do not exist for this principal.
   *
   * @param mayRead returns whether the caller has access to a task
   */
  watch(
    ids: readonly unknown[],
    principal: Principal | undefined,
    mayRead: (task: ScopedTask) => Promise<boolean>,
  ): TaskWatch | Promise<TaskWatch>;
  /** Starts serving calls that another process received. */
  start?(dispatcher: Dispatcher): void;
  /** Rejects if the task queue can never be reached. In that case, the server must not start. */
  readonly opened?: Promise<void> | undefined;
  /** Ends the tasks when this process stops. Absent if other processes continue them. */
  readonly drainable?: DrainableTasks | undefined;
  /**
   * Stops handlers that work on tasks, and waits briefly for them.
   *
   * @param withinMs the time that the server has left to stop, in milliseconds
   */
  close(withinMs: number): Promise<void>;
}

/** The access that a caller needs for a task: the same as for its tool. */
export interface ScopedTask {
  /** The tool whose call became the task. Absent in records of earlier versions. */
  readonly tool?: string | undefined;
  /** The scopes of the tool. */
  readonly scopes?: readonly string[] | undefined;
  /** The arguments of its call, if the tool's `authorize` decides based on them. */
  readonly arguments?: unknown;
}

/** A task that a client requests. */
export interface FoundTask extends ScopedTask {
  /** A `DetailedTask` of the specification. */
  readonly details: object;
  /**
   * Accepts answers. Answers to questions that are not open are ignored.
   *
   * @throws ProtocolError if an answer does not fit its question; then none is accepted
   */
  answer(responses: Record<string, unknown>): void | Promise<void>;
  /** Cancels the task, unless it has ended. */
  cancel(reason: string): void | Promise<void>;
}

/** The tasks of which one client is notified. */
export interface TaskWatch {
  readonly ids: readonly string[];
  /** Calls `notify` with the task's details after every change since the tasks were found. */
  begin(notify: (details: object) => void): void;
  /** Resolves when the tasks no longer change. Absent if other processes continue them. */
  whenDone?(): Promise<void>;
  end(): void;
}

/** A task that a call has become. */
export interface StartedTask {
  /** A `Task` of the specification. */
  readonly summary: object;
  /** Sends questions to the client through the task. */
  readonly inputRequester?: InputRequester;
  /**
   * Resolves when the task is recorded, so that the client may receive it. Absent if the client may receive it
   * immediately.
   */
  readonly recorded?: Promise<void>;
  /** Whether the queue decides which process runs the handler. */
  readonly isElsewhere?: boolean;
  /** Reports the handler's progress. */
  report(message: string): void;
  /**
   * Completes the task.
   *
   * @param result the result that the call would have had
   */
  complete(result: object): void;
  /** Fails with what would have been a JSON-RPC error. A failed tool completes with `isError`. */
  fail(error: unknown): void;
  /** Calls the listener when the run has ended. */
  onDone(listener: () => void): void;
}
