import type { Principal } from "../api/caller.js";
import type { Limits } from "../api/limits.js";
import type { LogSink } from "../api/log.js";
import type { TaskExecutor } from "../api/task-executor.js";
import type { Asker } from "../ask/questions/question.js";
import type { Forms } from "../ask/questions/served-form.js";
import type { Dispatcher } from "../connection/connection.js";
import type { Invocation } from "../connection/invocation.js";
import type { ToolEntry } from "../manifest.js";
import type { CallsInProgress } from "../middleware/calls-in-progress.js";
import type { WriteResult } from "../results/envelope.js";
import type { EndingTasks } from "../transports/drain.js";

export type TaskSupport = NonNullable<ToolEntry["task"]>;

/** What tasks are made from. */
export interface TaskSource {
  readonly limits: Limits;
  readonly forms: Forms;
  readonly write: WriteResult;
  readonly inProgress: CallsInProgress;
  readonly serverName: string;
  readonly log: LogSink;
  /** Decides which process works on a task. Default: the one that has the call. */
  readonly executor: TaskExecutor | undefined;
}

/** The tasks of one server, and how calls become tasks. */
export interface ServerTasks {
  /**
   * Serves a call of a tool with tasks.
   *
   * @param run serves it as any other: its result, as JSON text
   */
  serve(
    invocation: Invocation,
    support: TaskSupport,
    run: () => string | Promise<string>,
  ): string | Promise<string>;
  /** A task of this principal; tasks of others are as if they were not there. */
  find(id: unknown, principal: Principal | undefined): FoundTask | undefined | Promise<FoundTask | undefined>;
  /** Those of these tasks that are there for this principal, to be told of their changes. */
  follow(ids: readonly unknown[], principal: Principal | undefined): FollowedTasks | Promise<FollowedTasks>;
  /** The server is there: from now on it can serve calls that came to another process. */
  start?(dispatcher: Dispatcher): void;
  /** Rejects when what works on tasks never can: then the server must not start. */
  readonly opened?: Promise<void> | undefined;
  /** How they end with this process; absent where other processes go on with them. */
  readonly ending?: EndingTasks;
  /**
   * Stops what is at work, and waits a moment for it.
   *
   * @param withinMs the time that the server has left to stop
   */
  close(withinMs: number): Promise<void>;
}

/** A task that a client asks for. */
export interface FoundTask {
  /** A `DetailedTask` of the specification's. */
  readonly details: object;
  /**
   * Takes answers; those to questions that are not open are ignored.
   *
   * @throws ProtocolError when an answer is none to its question; nothing is taken then
   */
  answer(responses: Record<string, unknown>): void | Promise<void>;
  /** A task that is over stays as it is. */
  cancel(reason: string): void | Promise<void>;
}

/** Tasks of which a client wants to be told. */
export interface FollowedTasks {
  readonly ids: readonly string[];
  /** Calls back after every change from when they were found, with the task's details. */
  begin(notify: (details: object) => void): void;
  /** Resolves when no change is to come; absent where other processes go on with them. */
  over?(): Promise<void>;
  end(): void;
}

/** One run of a handler whose call was answered with a task. */
export interface TaskRun {
  /** A `Task` of the specification's. */
  readonly summary: object;
  /** Asks the client by way of the task. */
  readonly asker?: Asker;
  /** Resolves when the task may be acknowledged; absent where it may be at once. */
  readonly kept?: Promise<void>;
  /** The handler is not to be run here, but by whoever the queue gives the task to. */
  readonly isElsewhere?: boolean;
  /** The handler says how far it is. */
  report(message: string): void;
  /** @param result as the call itself would have been answered */
  complete(result: object): void;
  /** For what would have been a JSON-RPC error; a failed tool completes with `isError`. */
  fail(error: unknown): void;
  /** Calls back when the run is over. */
  onOver(listener: () => void): void;
}
