import type { Limits } from "../api/limits.js";
import type { LogSink } from "../api/log.js";
import type { SharedStore } from "../api/store.js";
import type { ChangeSource, Notifier } from "../api/notifier.js";
import type { UsedProofs } from "../api/auth.js";
import type { SessionDirectory } from "../transports/http/sessions/session-directory.js";
import type { SharedStreams } from "../transports/http/sessions/session-streams.js";
import type { EffectStore } from "./steps/effects.js";
import type { ConsumedStates } from "./input/replay/consumed-states.js";
import type { CallSource, SharedCalls } from "./durable/shared-calls.js";
import type { CallCounts } from "./limits/call-counts.js";
import type { ServerTasks, TaskSource } from "./tasks/server-tasks.js";

/**
 * The state that a server shares with other processes, instead of keeping it in its own memory. The server knows only
 * these types. The object given to `defineServer({ store })` contains their implementation, so a single-process server
 * does not load it.
 */
export interface JoinedStore {
  /** Identifies this process among those that share the store. */
  readonly processId: string;
  readonly counts: CallCounts;
  readonly changes: SharedChanges;
  readonly streams: SharedStreams;
  readonly effects: EffectStore;
  readonly consumedStates: ConsumedStates;
  readonly usedProofs: UsedProofs;
  readonly sessions: SessionDirectory;
  /**
   * Rejects if the store can never be reached, for example because a package is missing. In that case, the server must
   * not start.
   */
  readonly opened?: Promise<void> | undefined;
  createTasks(source: TaskSource): ServerTasks;
  createCalls(source: CallSource): SharedCalls;
  close(): Promise<void>;
}

/** The changes that any of the processes reports. */
export interface SharedChanges extends ChangeSource {
  onMissed(listener: () => void): () => void;
}

/** The options for joining a store. */
export interface JoinOptions {
  /** The server's name. */
  readonly name: string;
  /** Reports the changes of this process. */
  readonly notifier: Notifier;
  readonly log: LogSink;
  readonly limits: Limits;
  /** The keys that encrypt what the store holds: the value of `TENON_STATE_KEYS`. */
  readonly stateKeys: string | undefined;
}

/** A store that this process can join. */
export interface JoinableStore extends SharedStore {
  join(options: JoinOptions): JoinedStore;
}

/**
 * Returns a configured store as one that this process can join.
 *
 * @throws TypeError for anything else, such as a bare `Store`
 */
export function toJoinable(store: SharedStore): JoinableStore {
  if (typeof (store as Partial<JoinableStore>).join === "function") return store as JoinableStore;
  throw new TypeError(
    "`store` must be redis(…) from @tenon/runtime/redis, workers() from @tenon/runtime/workers, or sharedStore(store) from @tenon/runtime/store for a custom store",
  );
}
