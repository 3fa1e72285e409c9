/**
 * Stores for servers of more than one process.
 *
 * @example
 * import { shared } from "@tenon/runtime/store";
 * export default defineServer({ store: shared(new NatsStore(connection)) });
 * @module
 */
export { shared } from "../replicas/share-store.js";
export { memoryStore, type MemoryStoreOptions } from "./memory-store.js";
export type {
  AppendOptions,
  CountedUse,
  Lease,
  ReadOptions,
  SetOptions,
  Sharing,
  Store,
  StoredValue,
  StreamEntry,
  StreamPart,
  UsedUp,
} from "../api/store.js";
