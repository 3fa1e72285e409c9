import type { VisibleChange } from "../diff/visible-changes.js";

/**
 * The proxy between clients and the dev server, which keeps running while servers are replaced.
 *
 * @typeParam S the address of a server
 */
export interface DevProxy<S> {
  /** Sends new messages to another server. The previous one finishes its calls. */
  swap(next: S, changes: readonly VisibleChange[]): void;
  /**
   * Queues new messages until the next server starts. Messages of calls in flight still reach the previous one, which may end when it
   * has finished them.
   */
  pause(): void;
  /** Resolves when a replaced server has finished its calls. */
  waitForCalls(server: S): Promise<void>;
  /** Returns this problem to clients while there is no server. */
  explain(problem: string): Promise<void>;
  /** Stops sending messages to this server. */
  drop(server: S): void;
  /** Whether the client has disconnected, so that the server may end. */
  readonly hasEnded: boolean;
}
