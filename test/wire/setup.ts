/**
 * Runs in every test worker: records all messages of servers in this process and in those that it starts, and checks them
 * after each test. A test cannot forget to request it.
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, vi } from "vitest";
import type { WireCheck as Check } from "./check.mjs";
import { recordingEnvironment } from "./recorder.mjs";
import { RUN_VARIABLE, writeSummary } from "./summary.mjs";
import { tapThisProcess } from "./tap-worker.mjs";

// Records the messages of servers when they are created or connected, or those of their transports.
vi.mock("@tenon/runtime/server", async (original) => {
  const [{ tapped }, { closeLater }] = await Promise.all([
    import("./tap-worker.mjs"),
    import("../support/open-servers.js"),
  ]);
  const actual = await original<typeof import("@tenon/runtime/server")>();
  const createServer: typeof actual.createServer = (...given) =>
    tapped(closeLater(actual.createServer(...given)));
  return { ...actual, createServer };
});
vi.mock("@tenon/runtime/testing", async (original) => {
  const { tapped } = await import("./tap-worker.mjs");
  const actual = await original<typeof import("@tenon/runtime/testing")>();
  const connect: typeof actual.connect = (server, options) => actual.connect(tapped(server), options);
  return { ...actual, connect };
});
vi.mock("@tenon/runtime/node", async (original) => {
  const { untapped } = await import("./tap-worker.mjs");
  const actual = await original<typeof import("@tenon/runtime/node")>();
  const listen: typeof actual.listen = (server, options) => actual.listen(untapped(server), options);
  return { ...actual, listen };
});
vi.mock("@tenon/runtime/http", async (original) => {
  const [{ tapWebHandler }, { open, untapped }] = await Promise.all([
    import("./tap-web.mjs"),
    import("./tap-worker.mjs"),
  ]);
  const actual = await original<typeof import("@tenon/runtime/http")>();
  const createHttpHandler: typeof actual.createHttpHandler = (server, options) =>
    tapWebHandler(actual.createHttpHandler(untapped(server), options), open);
  return { ...actual, createHttpHandler };
});
vi.mock("@tenon/runtime/sse", async (original) => {
  const [{ tapWebHandler }, { open, untapped }] = await Promise.all([
    import("./tap-web.mjs"),
    import("./tap-worker.mjs"),
  ]);
  const actual = await original<typeof import("@tenon/runtime/sse")>();
  const createSseHandler: typeof actual.createSseHandler = (server, options) =>
    tapWebHandler(actual.createSseHandler(untapped(server), options), open);
  return { ...actual, createSseHandler };
});
vi.mock("@tenon/runtime/stdio", async (original) => {
  const [{ tapServeStdio }, { open, untapped }] = await Promise.all([
    import("./tap-stdio.mjs"),
    import("./tap-worker.mjs"),
  ]);
  const actual = await original<typeof import("@tenon/runtime/stdio")>();
  const tappedStdio = tapServeStdio(actual.serveStdio, open);
  const serveStdio: typeof actual.serveStdio = (server, options) => tappedStdio(untapped(server), options);
  return { ...actual, serveStdio };
});

const run = process.env[RUN_VARIABLE];
if (run === undefined) throw new Error("Run the tests with test/vitest.config.ts.");
const folder = join(run, randomUUID());
Object.assign(process.env, recordingEnvironment(folder));
tapThisProcess();
let check: Check | undefined;

async function judge(): Promise<void> {
  if (!existsSync(folder)) return;
  // Most test files start no server, and the schemas take time to load.
  const { WireCheck } = await import("./check.mjs");
  check ??= new WireCheck(folder);
  const problems = check.problems();
  if (problems.length > 0) throw new Error(`The server sent invalid messages.\n\n${problems.join("\n\n")}`);
}

afterEach(judge);
afterAll(async () => {
  try {
    await judge();
  } finally {
    if (check !== undefined) {
      const { bytes, counts } = check;
      writeSummary(folder, { file: expect.getState().testPath ?? "", bytes, counts });
    }
  }
});
