/**
 * Stores for servers with more than one process.
 *
 * @example
 * import { sharedStore } from "@tenon/runtime/store";
 * export default defineServer({ store: sharedStore(new NatsStore(connection)) });
 * @module
 */
export { sharedStore } from "./shared-store.js";
export { memoryStore, type MemoryStoreOptions } from "../store/memory-store.js";
export type {
  AppendOptions,
  RateWindow,
  Lease,
  ReadOptions,
  SetOptions,
  SharedStore,
  Store,
  StoredValue,
  StreamEntry,
  StreamPart,
  LimitExceeded,
} from "../api/store.js";
