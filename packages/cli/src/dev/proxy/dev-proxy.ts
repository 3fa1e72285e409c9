import type { Change } from "../diff/manifest-diff.js";

/**
 * The client's end of a development server: it stays while the servers behind it come and go.
 *
 * @typeParam S as much of a server as it takes to reach it
 */
export interface DevProxy<S> {
  /** Sends what comes from here on to another server. The one before finishes what it has begun. */
  swap(next: S, changes: readonly Change[]): void;
  /**
   * Has what comes from here on wait for the next server. What belongs to calls under way still reaches the one that has
   * them, which may end when it has answered them.
   */
  hold(): void;
  /** Resolves when a server that was replaced has nothing more to do for clients. */
  settled(server: S): Promise<void>;
  /** Tells clients what is wrong for as long as there is no server. */
  explain(problem: string): Promise<void>;
  /** Sends nothing to this server any more, if anything still went there. */
  drop(server: S): void;
  /** True when the client has left, so that the server may end. */
  readonly ended: boolean;
}
