/**
 * Shows the time of a call by function, for Tenon and for the raw server.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HttpClient } from "../clients/http-client.mjs";
import { CALLS } from "../clients/requests.mjs";
import { ServerProcess } from "../clients/server-process.mjs";
import { StdioClient } from "../clients/stdio-client.mjs";
import { number, table } from "../report/numbers.mjs";
import { layOut } from "../report/document.mjs";
import { prepare } from "../scratch/prepare.mjs";
import { selfTimes } from "./self-times.mjs";

/** @typedef {import("../scratch/prepare.mjs").SubjectName} SubjectName */
/** @typedef {import("../clients/server-process.mjs").Command} Command */
/** @typedef {{ http: import("../clients/http-client.mjs").HttpMode } | { stdio: import("../clients/requests.mjs").Era }} Way */

/** @type {{ title: string, way: Way, call: keyof typeof CALLS }[]} */
const SCENES = [
  { title: "stdio, add", way: { stdio: "legacy" }, call: "add" },
  { title: "stdio, add, 2026-07-28", way: { stdio: "modern" }, call: "add" },
  { title: "stdio, search", way: { stdio: "legacy" }, call: "search" },
  { title: "HTTP, add, 2026-07-28", way: { http: "modern" }, call: "add" },
  { title: "HTTP, add, sessions", way: { http: "sessions" }, call: "add" },
];

/** @type {SubjectName[]} */
const SUBJECTS = ["tenon", "raw"];
const STDIO_CALLS = 150_000;
const HTTP_CALLS = 60_000;
const SHOWN = 28;

/** @param {string} folder @param {(text: string) => void} say */
export async function writeProfiles(folder, say) {
  const bench = await prepare(folder, [0], new Set());
  for (const { title, way, call } of SCENES) {
    for (const subject of SUBJECTS) {
      const path = join(folder, "profile.json");
      const base = bench.command(subject, { http: "http" in way });
      const recorder = pathToFileURL(join(import.meta.dirname, "recorder.mjs")).href;
      const command = {
        ...base,
        args: ["--import", recorder, ...base.args],
        env: { ...base.env, BENCH_PROFILE: path },
      };
      const calls = "http" in way ? HTTP_CALLS : STDIO_CALLS;
      const load = "http" in way ? overHttp(command, way.http, call) : overStdio(command, way.stdio, call);
      await load;
      const times = selfTimes(JSON.parse(readFileSync(path, "utf8")));
      const total = times.reduce((sum, { micros }) => sum + micros, 0);
      const rows = times.slice(0, SHOWN).map(({ where, micros }) => [`\`${where}\``, perCall(micros, calls)]);
      say(`## ${subject}: ${title}\n`);
      say(await layOut(table(["", "µs per call"], [...rows, ["**all**", perCall(total, calls)]])));
    }
  }
}

/** @param {number} micros @param {number} calls */
function perCall(micros, calls) {
  return number(micros / calls);
}

/** @param {Command} command @param {import("../clients/requests.mjs").Era} era @param {keyof typeof CALLS} call */
async function overStdio(command, era, call) {
  const client = new StdioClient(command, era);
  try {
    await client.open();
    await client.load(CALLS[call], STDIO_CALLS / 5, 64);
    await signal(client.server, "started");
    await client.load(CALLS[call], STDIO_CALLS, 64);
    await signal(client.server, "written");
  } finally {
    await client.stop();
  }
}

/** @param {Command} command @param {import("../clients/http-client.mjs").HttpMode} mode @param {keyof typeof CALLS} call */
async function overHttp(command, mode, call) {
  const server = new ServerProcess(command);
  try {
    const client = await HttpClient.open(await server.address(), mode, 32);
    await client.load(CALLS[call], { most: HTTP_CALLS / 5 });
    await signal(server, "started");
    await client.load(CALLS[call], { most: HTTP_CALLS });
    await signal(server, "written");
    client.close();
  } finally {
    await server.stop();
  }
}

/**
 * Sends the signal for the next step of the recorder, and waits until the step is done.
 *
 * @param {ServerProcess} server
 * @param {string} state
 */
async function signal(server, state) {
  server.child.kill("SIGUSR2");
  await server.waitForOutput(`profile ${state}`);
}
