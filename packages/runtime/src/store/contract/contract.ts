/**
 * The requirements on every store, as cases for any test runner.
 *
 * @example
 * // Vitest, or any other with `test(name, run)`
 * import { storeCases } from "@tenon/runtime/store-contract";
 * for (const { name, run } of storeCases) test(name, () => run(() => new NatsStore(url)), 60_000);
 *
 * @example
 * // node:test
 * import { test } from "node:test";
 * for (const { name, run } of storeCases) test(name, () => run(() => new NatsStore(url)));
 *
 * @example
 * // An in-memory store: each case has its own
 * for (const { name, run } of storeCases) {
 *   test(name, () => {
 *     const store = memoryStore();
 *     return run(() => store);
 *   });
 * }
 * @module
 */
import { randomUUID } from "node:crypto";
import type { Store } from "../../api/store.js";
import type { CaseTable } from "./case.js";
import { countCases } from "./count-cases.js";
import { keyCases } from "./key-cases.js";
import { leaseCases } from "./lease-cases.js";
import { messageCases } from "./message-cases.js";
import { streamCases } from "./stream-cases.js";
import { valueCases } from "./value-cases.js";
import { waitingCases } from "./waiting-cases.js";

/** Opens a store. Several stores from one function share their data, like those of several processes. */
export type OpenStore = () => Store | Promise<Store>;

export interface StoreCase {
  readonly name: string;
  /**
   * Runs the case with unused names, and closes the stores that it has opened.
   *
   * @throws AssertionError if the store behaves differently
   */
  run(open: OpenStore): Promise<void>;
}

const TABLES: Record<string, CaseTable> = {
  value: valueCases,
  key: keyCases,
  stream: streamCases,
  waiting: waitingCases,
  message: messageCases,
  count: countCases,
  lease: leaseCases,
};

/** All requirements on stores, except their behavior when the underlying service is unreachable. */
export const storeCases: readonly StoreCase[] = Object.entries(TABLES).flatMap(([subject, table]) =>
  Object.entries(table).map(([name, run]) => ({
    name: `${subject}: ${name}`,
    run: async (open: OpenStore) => {
      const scope = `contract:${randomUUID()}`;
      const [a, b] = [await open(), await open()];
      try {
        await run({ a, b, name: (text) => `${scope}:${text}` });
      } finally {
        await Promise.all([...new Set([a, b])].map((store) => store.close()));
      }
    },
  })),
);
