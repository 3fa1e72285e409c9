/** Runs in every test worker: restores clocks and variables after each test, and closes servers after each file. */
import { afterAll, afterEach, vi } from "vitest";
import { closeOpenServers } from "./open-servers.js";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

afterAll(closeOpenServers);
