/**
 * Runs in every test worker: closes the servers that the tests of a file leave open, because the next file runs in the
 * same process, and their timers would fire there, in fake time as well.
 */
import { afterAll, vi } from "vitest";
import type { Server } from "@tenon/runtime";

const { open } = vi.hoisted(() => ({ open: new Set<Server>() }));

// Internal: no entry tells which servers exist.
vi.mock("../../packages/runtime/src/server.js", async (original) => {
  const actual = await original<typeof import("../../packages/runtime/src/server.js")>();
  const createServer: typeof actual.createServer = (...args) => {
    const server = actual.createServer(...args);
    open.add(server);
    return server;
  };
  return { ...actual, createServer };
});

/** Servers whose store fails on purpose cannot write their last entries. */
const CLOSING_MS = 2000;

afterAll(async () => {
  const closing = [...open].map((server) => server.close(0).catch(() => {}));
  open.clear();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSING_MS)));
  await Promise.race([Promise.all(closing), timeout]);
  clearTimeout(timer);
});
