/**
 * How calls in progress end when a server stops: each has its answer before the connection goes.
 * @module
 */
import type { TransportConnection } from "./transport.js";
import { withTimeout } from "./with-timeout.js";

/** Shares of the time to stop. What is left after them is for the disposal of instances. */
const UNDISTURBED = 0.6;
const TOLD_TO_STOP = 0.2;
const GIVEN_UP = 0.1;

const REASON = "The server is shutting down.";

/**
 * Waits for calls in progress. Handlers that take longer are told to stop through their `signal`, and may still answer;
 * calls that do not end then either are answered with an error.
 *
 * @param ms the time that the server has to stop
 * @param answered settles when every call is answered
 * @param connections those that have calls in progress
 */
export async function drain(
  ms: number,
  answered: Promise<unknown>,
  connections: () => Iterable<Pick<TransportConnection, "stop" | "abandon">>,
): Promise<void> {
  if (await withTimeout(ms * UNDISTURBED, answered)) return;
  for (const connection of connections()) connection.stop(REASON);
  if (await withTimeout(ms * TOLD_TO_STOP, answered)) return;
  for (const connection of connections()) connection.abandon(REASON);
  // Nobody may be reading these answers.
  await withTimeout(ms * GIVEN_UP, answered);
}
