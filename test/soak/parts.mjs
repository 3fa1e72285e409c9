import { join } from "node:path";
import { bundle } from "../support/bundle.mjs";
import { everything } from "../fuzz/drive/subjects.mjs";
import { ServerProcess } from "../fuzz/drive/server-process.mjs";
import { loadAlone, loadSessions } from "./http-load.mjs";
import { loadStdio } from "./stdio-load.mjs";

/** The server's session limit, which the run exceeds many times. */
const MAX_SESSIONS = 100;

/**
 * A kind of use, with its own server.
 *
 * @typedef {object} Part
 * @property {string} name
 * @property {number} share The share of all calls.
 * @property {() => ServerProcess} start
 * @property {(server: ServerProcess, count: number, first: number) => Promise<void>} load
 */

/** @param {string} folder The output folder of builds. @returns {Promise<Part[]>} */
export async function createParts(folder) {
  const entry = join(folder, "fixture.mjs");
  await bundle(join(import.meta.dirname, "../runtime/fixture/serve.ts"), entry);
  const overHttp = () =>
    new ServerProcess(entry, ["--http", "--port", "0"], {
      FIXTURE_LIMITS: `{"maxSessions":${MAX_SESSIONS}}`,
    });
  return [
    {
      name: "stdio: calls, failures, questions, cancelled calls",
      share: 0.5,
      start: () => new ServerProcess(everything().entry, []),
      load: loadStdio,
    },
    {
      name: "HTTP 2026-07-28: calls, failures, streams, clients that leave",
      share: 0.3,
      start: overHttp,
      load: async (server, count) => loadAlone(await server.url(), count),
    },
    {
      name: `HTTP sessions of all revisions, half of them abandoned, ${MAX_SESSIONS} kept`,
      share: 0.2,
      start: overHttp,
      load: async (server, count) => loadSessions(await server.url(), count),
    },
  ];
}
