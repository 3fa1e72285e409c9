import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "../../api/store.js";

export interface CaseContext {
  /** The first of two stores with the same data, like those of two processes. */
  readonly a: Store;
  readonly b: Store;
  /** Returns the name of a key, a stream, or a topic that only this case uses. */
  name(text: string): string;
}

/** The cases by the promises that they check. */
export type CaseTable = Readonly<Record<string, (context: CaseContext) => Promise<void>>>;

/** A time longer than any case takes, in milliseconds. */
export const LONG_MS = 120_000;

/** Maximum time to wait for an expected event on a slow machine, in milliseconds. */
const MAX_WAIT_MS = 30_000;

/**
 * Waits until a condition is true.
 *
 * @throws AssertionError if it never is
 */
export async function waitUntil(
  description: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const end = performance.now() + MAX_WAIT_MS;
  while (!(await condition())) {
    assert.ok(performance.now() < end, `${description}: not within ${MAX_WAIT_MS} ms`);
    await pause(5);
  }
}

/** Waits until a value written now with this time to live has expired, by the store's own clock. */
export async function waitForExpiry({ a, name }: CaseContext, ttlMs: number): Promise<void> {
  const clock = name(`clock ${Math.random()}`);
  await a.set(clock, "", { ttlMs });
  await waitUntil(
    `a value with a time to live of ${ttlMs} ms has expired`,
    async () => (await a.get(clock)) === undefined,
  );
}

/** Runs an operation this many times concurrently, alternating between two stores. */
export function runConcurrently<Result>(
  { a, b }: CaseContext,
  count: number,
  work: (store: Store, index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? a : b, index)));
}

/** Returns this many whole numbers, starting at 0. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
