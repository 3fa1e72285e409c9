import { readPlainTextUse } from "../access/encryption/encryption.js";
import type { SharedStore, Store } from "../api/store.js";
import { DurableCalls } from "./calls/durable-calls.js";
import { EffectRecords } from "./records/effect-records.js";
import { Replica } from "./replicas/replica.js";
import type { JoinableStore } from "../call/joined-store.js";
import { StoreChanges } from "./changes/store-changes.js";
import { StoreCallCounts } from "./records/store-call-counts.js";
import { StoreSessions } from "./sessions/store-sessions.js";
import { StoreStreams } from "./streams/store-session-streams.js";
import { SingleUses } from "./records/single-uses.js";
import { SharedTasks } from "./tasks/shared-tasks.js";
import { mustWarnAboutTemporaryKeys, TEMPORARY_KEYS_WARNING } from "./temporary-keys.js";

const NOT_ENCRYPTED =
  "The store holds calls in plain text, with their arguments, answers, and results, because TENON_STATE_KEYS is not set. " +
  "Set it to the same secret in all processes; create one with `openssl rand -base64 32`.";

const NOT_YET_ENCRYPTED =
  "The store holds calls in plain text, because TENON_STATE_KEYS begins with `none`. Move `none` to the end in all processes.";

/** The methods that a server calls. */
const METHODS: readonly (keyof Store)[] = [
  "get",
  "set",
  "delete",
  "append",
  "read",
  "publish",
  "subscribe",
  "consume",
  "lease",
];

/**
 * Shares the state that outlives a request among all processes of a server, in your own store. Close the store after
 * the server is closed.
 *
 * @throws TypeError for a store that lacks a method
 * @example
 * export default defineServer({ store: sharedStore(new NatsStore(connection)) });
 */
export function sharedStore(store: Store): SharedStore {
  const missing = METHODS.find((name) => typeof (store as Partial<Store> | undefined)?.[name] !== "function");
  if (missing !== undefined)
    throw new TypeError(
      `sharedStore: the store must have the method \`${missing}\`. \`Store\` of @tenon/runtime/store describes all methods.`,
    );
  return createSharedStore(store, true);
}

/** Creates the shared form of a store. `outlivesServer` is false for a store in the memory of the primary process of `--workers`. */
export function createSharedStore(store: Store, outlivesServer: boolean): SharedStore {
  const joinable: JoinableStore = {
    store,
    join: ({ name, log, limits, notifier, stateKeys }) => {
      if (readPlainTextUse(stateKeys).isWritten)
        log({
          level: "warn",
          event: "store-not-encrypted",
          msg: stateKeys === undefined ? NOT_ENCRYPTED : NOT_YET_ENCRYPTED,
        });
      if (outlivesServer && mustWarnAboutTemporaryKeys())
        log({ level: "warn", event: "warning", msg: TEMPORARY_KEYS_WARNING });
      const replica = new Replica({ store, name, log, stateKeys });
      const changes = new StoreChanges(replica, notifier);
      const streams = new StoreStreams({ replica, changes, limits });
      replica.start();
      const effects = new EffectRecords(replica);
      const uses = new SingleUses(replica);
      changes.start();
      return {
        processId: replica.id,
        counts: new StoreCallCounts(replica),
        changes,
        streams,
        effects,
        createCalls: (source) => new DurableCalls({ ...source, replica, effects, streams }),
        consumedStates: uses,
        usedProofs: uses,
        sessions: new StoreSessions(replica, limits),
        createTasks: (source) => new SharedTasks({ replica, effects, source }),
        close: async () => {
          await changes.close();
          await replica.close();
        },
      };
    },
  };
  return joinable;
}
