/** Runs in every test worker: restores clocks and variables, so that a failed test does not affect the next. */
import { afterEach, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
