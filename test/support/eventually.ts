import { inject, vi } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Maximum time that a test waits for a condition, in milliseconds. */
    waitMs: number;
  }
}

/**
 * Tries again until `check` does not throw.
 *
 * @returns the result of `check`
 * @throws the last error of `check` if it still throws after the time limit of the test's group
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: inject("waitMs"), interval: 5 });
}
