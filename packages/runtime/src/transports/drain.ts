/**
 * How calls in progress end when a server stops: each has its answer before the connection goes.
 * @module
 */
import type { TransportConnection } from "./transport.js";
import { withTimeout } from "./with-timeout.js";

/**
 * Tasks as a transport sees them that stops: they have the time that calls have, and clients the time to learn how they
 * ended.
 */
export interface EndingTasks {
  /** Nobody can answer any more: those that wait for an answer fail. */
  finish(reason: string): void;
  /** Resolves when none is at work. */
  over(): Promise<void>;
  /** Resolves when none is at work, and clients know how each ended or had the time to ask. */
  known(): Promise<void>;
  /** Tells the handlers still at work to stop, through their signals. What they give is their tasks' result. */
  stop(reason: string): void;
  /** Gives up the handlers still at work: their tasks have failed. */
  abandon(reason: string): void;
}

/** Shares of the time to stop. What is left after them is for the disposal of instances. */
const UNDISTURBED = 0.6;
const TOLD_TO_STOP = 0.2;
const GIVEN_UP = 0.1;

/** What is told to whoever asks for more. */
export const SHUTTING_DOWN = "The server is shutting down.";

/**
 * Waits for calls in progress. Handlers that take longer are told to stop through their `signal`, and may still answer;
 * calls that do not end then either are answered with an error.
 *
 * @param ms the time that the server has to stop
 * @param answered settles when every call is answered
 * @param connections those that have calls in progress
 * @param tasks what calls were answered with and goes on: it has the same time
 */
export async function drain(
  ms: number,
  answered: Promise<unknown>,
  connections: () => Iterable<Pick<TransportConnection, "stop" | "abandon">>,
  tasks?: EndingTasks,
): Promise<void> {
  tasks?.finish(SHUTTING_DOWN);
  if (await withTimeout(ms * UNDISTURBED, answered)) return;
  tasks?.stop(SHUTTING_DOWN);
  for (const connection of connections()) connection.stop(SHUTTING_DOWN);
  if (await withTimeout(ms * TOLD_TO_STOP, answered)) return;
  tasks?.abandon(SHUTTING_DOWN);
  // Who follows a task is told how it ended, and then that this is all.
  if (await withTimeout(0, answered)) return;
  for (const connection of connections()) connection.abandon(SHUTTING_DOWN);
  // Nobody may be reading these answers.
  await withTimeout(ms * GIVEN_UP, answered);
}
