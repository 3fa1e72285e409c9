import type { Limits } from "../api/limits.js";
import type { LogSink } from "../api/log.js";
import type { Sharing } from "../api/store.js";
import type { ChangeSource, Notifier } from "../api/notifier.js";
import type { UsedProofs } from "../auth/dpop/used-proofs.js";
import type { SpentStates } from "../ask/replay/spent-states.js";
import type { CallCounts } from "../middleware/call-counts.js";
import type { ServerTasks, TaskSource } from "../tasks/server-tasks.js";
import type { SharedCalls } from "../connection/shared-calls.js";
import type { CallSource } from "./calls/store-calls.js";
import type { SharedStreams } from "../transports/http/sessions/session-streams.js";
import type { EffectRecords } from "./effect-records.js";
import type { SessionServer } from "../transports/http/sessions/session.js";
import type { HttpSessions } from "../transports/http/sessions/sessions.js";
import type { Replica } from "./replica.js";

/**
 * What a server keeps in a store in place of its own memory. The server's own code knows these types alone: what they do
 * comes in with the `Sharing`, so that servers of one process do not carry it.
 */
export interface Shared {
  readonly replica: Replica;
  readonly counts: CallCounts;
  readonly changes: SharedChanges;
  readonly streams: SharedStreams;
  readonly effects: EffectRecords;
  readonly spentStates: SpentStates;
  readonly usedProofs: UsedProofs;
  /** Where an HTTP endpoint has its legacy sessions. */
  httpSessions(server: SessionServer): HttpSessions;
  /** Rejects when the store can never be asked, as without a package that it needs: then the server must not start. */
  readonly opened?: Promise<void> | undefined;
  tasks(source: TaskSource): ServerTasks;
  calls(source: CallSource): SharedCalls;
  close(): Promise<void>;
}

/** What is announced in any of the processes. */
export interface SharedChanges extends ChangeSource {
  onGap(listener: () => void): () => void;
}

export interface JoinOptions {
  /** The server's name. */
  readonly name: string;
  /** What is announced in this process. */
  readonly notifier: Notifier;
  readonly log: LogSink;
  readonly limits: Limits;
}

/** Makes this process one of those that serve the same clients. */
export interface JoinableSharing extends Sharing {
  join(options: JoinOptions): Shared;
}

/** @throws TypeError for what is no `Sharing`, such as a store by itself */
export function joinable(sharing: Sharing): JoinableSharing {
  if (typeof (sharing as Partial<JoinableSharing>).join === "function") return sharing as JoinableSharing;
  throw new TypeError(
    "`store` must be redis(…) of @tenon/runtime/redis, or shared(store) of @tenon/runtime/store for a store of your own",
  );
}
