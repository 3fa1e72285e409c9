import { vi } from "vitest";

/** Longer than anything takes that happens at all. */
const HANGS_MS = 120_000;

/** Tries again until `check` does not throw, and returns what it returned. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: HANGS_MS, interval: 5 });
}
