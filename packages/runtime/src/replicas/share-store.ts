import type { Sharing, Store } from "../api/store.js";
import { StoreCalls } from "./calls/store-calls.js";
import { EffectRecords } from "./effect-records.js";
import { Replica } from "./replica.js";
import type { JoinableSharing } from "./sharing.js";
import { StoreChanges } from "./changes/store-changes.js";
import { StoreCallCounts } from "./store-call-counts.js";
import { StoreHttpSessions } from "./store-http-sessions.js";
import { StoreSessions } from "./store-sessions.js";
import { StoreStreams } from "./streams/store-session-streams.js";
import { StoreSpentStates } from "./store-spent-states.js";
import { StoreUsedProofs } from "./store-used-proofs.js";
import { StoredTasks } from "../tasks/stored/stored-tasks.js";

/**
 * Has all processes of a server share what outlives a request, by a store of your own. It is yours to close, once the
 * server is.
 *
 * @example
 * export default defineServer({ store: shared(new NatsStore(connection)) });
 */
export function shared(store: Store): Sharing {
  const sharing: JoinableSharing = {
    store,
    join: ({ name, log, limits, notifier }) => {
      const replica = new Replica({ store, name, log });
      const changes = new StoreChanges(replica, notifier);
      const streams = new StoreStreams({ replica, changes, limits });
      const sessions = new StoreSessions(replica, limits);
      replica.start();
      const effects = new EffectRecords(replica);
      changes.start();
      return {
        replica,
        counts: new StoreCallCounts(replica),
        changes,
        streams,
        effects,
        calls: (source) => new StoreCalls({ ...source, replica, effects, streams }),
        spentStates: new StoreSpentStates(replica),
        usedProofs: new StoreUsedProofs(replica),
        httpSessions: (server) => new StoreHttpSessions(server, sessions),
        tasks: (source) => new StoredTasks(replica, effects, source),
        close: async () => {
          await changes.close();
          await replica.close();
        },
      };
    },
  };
  return sharing;
}
