/**
 * Completes calls in progress when a server stops. Each receives a response before its connection closes.
 * @module
 */
import type { TransportConnection } from "./transport.js";
import { withTimeout } from "./with-timeout.js";

/**
 * The tasks of a server that stops. They have as much time to end as calls have, and clients have
 * time to receive their results.
 */
export interface DrainableTasks {
  /** Fails tasks that wait for an answer, since the client can no longer answer. */
  finish(reason: string): void;
  /** Resolves when no handler works on a task. */
  whenDone(): Promise<void>;
  /** Resolves when no handler works on a task, and clients know how each ended or have had time to poll. */
  whenReported(): Promise<void>;
  /** Aborts the signals of handlers that are still running. Their values become the results of their tasks. */
  stop(reason: string): void;
  /** Fails the tasks of handlers that are still running. */
  abandon(reason: string): void;
}

/** Shares of the time to stop. The rest is for the disposal of instances. */
const UNDISTURBED_SHARE = 0.6;
const ABORTED_SHARE = 0.2;
const ABANDONED_SHARE = 0.1;

/** The reason for rejecting requests while the server stops. */
export const SHUTTING_DOWN = "The server is shutting down.";

/**
 * Waits for calls in progress. After a share of the time, the signals of their handlers are aborted; they may still
 * respond. After another, calls without a response receive an error.
 *
 * @param ms the time that the server has to stop, in milliseconds
 * @param responded settles when every call has a response
 * @param connections the connections with calls in progress
 * @param tasks the tasks that calls have become, which have the same time
 */
export async function drain(
  ms: number,
  responded: Promise<unknown>,
  connections: () => Iterable<Pick<TransportConnection, "stop" | "abandon">>,
  tasks?: DrainableTasks,
): Promise<void> {
  tasks?.finish(SHUTTING_DOWN);
  if (await withTimeout(ms * UNDISTURBED_SHARE, responded)) return;
  tasks?.stop(SHUTTING_DOWN);
  for (const connection of connections()) connection.stop(SHUTTING_DOWN);
  if (await withTimeout(ms * ABORTED_SHARE, responded)) return;
  tasks?.abandon(SHUTTING_DOWN);
  // Clients that watch a task receive its end before the subscription ends.
  if (await withTimeout(0, responded)) return;
  for (const connection of connections()) connection.abandon(SHUTTING_DOWN);
  // Clients may no longer read these responses.
  await withTimeout(ms * ABANDONED_SHARE, responded);
}
