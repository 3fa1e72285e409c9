import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Store } from "../../api/store.js";

export interface CaseContext {
  /** Two stores of the same data, as two processes have them. */
  readonly a: Store;
  readonly b: Store;
  /** The name of a key, a stream or a topic of this case alone. */
  name(text: string): string;
}

/** What is tried, by what is promised. */
export type CaseTable = Readonly<Record<string, (context: CaseContext) => Promise<void>>>;

/** Longer than any case takes. */
export const LONG = 120_000;

/** How long something that has to happen may take on a slow machine, in milliseconds. */
const PATIENCE = 30_000;

/** Waits until something is so. @throws AssertionError when it never is */
export async function eventually(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `${what}: not within ${PATIENCE} ms`);
    await pause(5);
  }
}

/** Waits until what is written now with this time to live is gone from the store, by the store's own clock. */
export async function outlived({ a, name }: CaseContext, ttlMs: number): Promise<void> {
  const clock = name(`clock ${Math.random()}`);
  await a.set(clock, "", { ttlMs });
  await eventually(
    `a value with a time to live of ${ttlMs} ms is gone`,
    async () => (await a.get(clock)) === undefined,
  );
}

/** So many at once, in turn on two stores. */
export function together<Result>(
  { a, b }: CaseContext,
  count: number,
  work: (store: Store, index: number) => Promise<Result>,
): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? a : b, index)));
}

/** The whole numbers from 0, so many. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
