/** Runs in every test worker: a test that fails leaves no clock of its own and no variables to the next. */
import { afterEach, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
