import { createCase, chooseRevision } from "./cases.mjs";
import { HttpRun } from "./drive/http.mjs";
import { ServerProcess } from "./drive/server-process.mjs";
import { StdioRun } from "./drive/stdio.mjs";
import { goodCall } from "./drive/good-call.mjs";
import { Grammar } from "./generate/messages.mjs";
import { Random } from "./generate/random.mjs";

/**
 * @import { Case, Way } from "./cases.mjs"
 * @import { Held } from "./drive/server-process.mjs"
 * @import { Subject } from "./drive/subjects.mjs"
 * @import { Surface } from "./generate/messages.mjs"
 */

/** The number of concurrent cases before the health of the server is checked. */
const BATCH = { stdio: 25, http: 16 };

/** The maximum growth of a server's memory after a round, compared with the warm server, in bytes. */
const MAX_GROWTH = 12 * 1024 * 1024;

/**
 * An error that the fuzzer found.
 *
 * @typedef {object} Find
 * @property {Way} way
 * @property {string | undefined} revision The revision of the open session.
 * @property {string} problem
 * @property {Case[]} cases
 */

/** Returns the lists of a subject. @param {Subject} subject @returns {Promise<Surface>} */
export async function listSurface(subject) {
  const server = new ServerProcess(subject.entry, []);
  const lists = {
    tools: "tools",
    prompts: "prompts",
    resources: "resources",
    "resources/templates": "resourceTemplates",
  };
  const { params } = goodCall(subject, "");
  for (const method of Object.keys(lists)) {
    const request = { jsonrpc: "2.0", id: method, method: `${method}/list`, params: { _meta: params._meta } };
    server.stdin.write(`${JSON.stringify(request)}\n`);
  }
  server.stdin.end();
  let text = "";
  for await (const chunk of server.stdout) text += chunk;
  await server.stop();
  const results = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).result);
  const { tools, prompts, resources, resourceTemplates } = Object.assign({}, ...results);
  const isTried = (/** @type {{ name: string }} */ { name }) => subject.left?.test(name) !== true;
  return { tools: tools.filter(isTried), prompts, resources, resourceTemplates };
}

/**
 * Sends cases to a new server, all of them or up to the first problem.
 *
 * @param {object} given
 * @param {Way} given.way
 * @param {Subject} given.subject
 * @param {string | undefined} given.revision
 * @param {Iterable<Case>} given.cases
 * @param {number} given.seed
 * @param {Surface} given.surface
 * @param {boolean} [given.isMeasured] Whether the resources of the server are measured.
 * @param {number} [given.neverMs] The time after which a missing event counts as a failure, even on a busy machine.
 * @returns {Promise<{ find: Find | undefined, growth: number }>}
 */
export async function play({
  way,
  subject,
  revision,
  cases,
  seed,
  surface,
  isMeasured = false,
  neverMs = 60_000,
}) {
  const answers = new Grammar(surface, new Random(seed), "q");
  const run = new (way === "http" ? HttpRun : StdioRun)(subject, () => answers.clientResult(), neverMs);
  /** @type {Case[]} */
  let batch = [];
  /** @type {Held | undefined} */
  let warm;
  let growth = 0;
  let count = 0;
  const flush = async () => {
    if (run instanceof HttpRun) {
      await Promise.all(batch.map((each) => ("request" in each ? run.send(each.request) : undefined)));
    } else {
      for (const each of batch) if ("pieces" in each) await run.send(each.pieces);
    }
    await run.settle();
    count += batch.length;
    if (run.problems.length > 0) return;
    if (run instanceof HttpRun && count % (BATCH.http * 4) === 0) {
      await run.endSessions();
      await run.open(revision);
    }
    batch = [];
    if (isMeasured && warm === undefined && count >= 1000) warm = await run.held();
  };
  try {
    await run.open(revision);
    for (const each of cases) {
      batch.push(each);
      if (batch.length < BATCH[way]) continue;
      await flush();
      if (run.problems.length > 0) break;
    }
    if (run.problems.length === 0) await flush();
    if (run.problems.length === 0 && run instanceof HttpRun) await run.endSessions();
    if (run.problems.length === 0 && warm !== undefined) {
      const after = await run.held();
      growth = after.heap - warm.heap;
      if (growth > MAX_GROWTH)
        run.problems.push(`It holds ${growth} bytes more than it did: ${JSON.stringify({ warm, after })}`);
    }
    if (run.problems.length === 0) await run.close();
  } catch (error) {
    run.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await run.stop();
  }
  const [problem] = run.problems;
  return {
    find:
      problem === undefined
        ? undefined
        : { way, revision, problem: run.problems.slice(0, 3).join("\n"), cases: batch },
    growth,
  };
}

/**
 * Sends a round of cases that are generated from a seed.
 *
 * @param {object} given
 * @param {Way} given.way
 * @param {Subject} given.subject
 * @param {Surface} given.surface
 * @param {number} given.seed
 * @param {number} given.first The number of the first case.
 * @param {number} given.count
 * @param {number} given.round
 */
export async function playRound({ way, subject, surface, seed, first, count, round }) {
  const createCases = function* () {
    for (let index = first; index < first + count; index++)
      yield createCase({ way, seed, index, surface, subject });
  };
  return play({
    way,
    subject,
    revision: chooseRevision(seed + round),
    cases: createCases(),
    seed: seed + round,
    surface,
    isMeasured: true,
  });
}
