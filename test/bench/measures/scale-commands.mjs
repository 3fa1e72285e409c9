import { setTimeout as wait } from "node:timers/promises";
import { COMBINATIONS } from "../../scale/clients/official.mjs";
import { follow, request } from "../../scale/clients/raw-tasks.mjs";
import { RedisMonitor } from "../clients/redis-monitor.mjs";
import { Replicas } from "../clients/replicas.mjs";
import { WrongAnswer } from "../clients/requests.mjs";

/** @typedef {import("../../scale/clients/official.mjs").OfficialClient} OfficialClient */
/** @typedef {import("../../scale/clients/official.mjs").CallOptions} CallOptions */

/**
 * @typedef {object} CommandsOfKind
 * @property {number} all the average number of commands per request
 * @property {Record<string, number>} each by the command's name
 */

/**
 * @typedef {object} Stage
 * @property {() => Promise<OfficialClient>} legacy opens a session; its requests go to the processes in turn
 * @property {() => Promise<OfficialClient>} modern
 * @property {() => URL} url another process each time
 */

/** The number of repetitions, which makes incidental work negligible. */
const TIMES = 30;

/** Responses and forwarded messages take far less. */
const QUIET_MS = 400;

/**
 * Kinds of requests. Each prepares and returns the function that is called repeatedly.
 *
 * @type {Record<string, (stage: Stage) => Promise<() => Promise<unknown>>>}
 */
const KINDS = {
  "2026-07-28: a call": prepareCall("modern", "add", { a: 1, b: 2 }, "3"),
  "2026-07-28: a call under a rate limit": prepareCall("modern", "limited", { a: 1, b: 2 }, "3"),
  "2026-07-28: a call with a question, in two requests": prepareCall("modern", "confirm", {}, "accept"),
  "2026-07-28: a task, from start to result":
    async ({ url }) =>
    async () => {
      const { taskId } = await request(url(), "tools/call", { name: "job", arguments: {} });
      const task = await follow(url(), taskId, new AbortController().signal);
      if (task.status !== "completed") throw new WrongAnswer("tasks/get", task);
    },
  "2026-07-28: a resource changes, three subscribers": async (stage) => {
    for (let count = 0; count < 3; count++) await (await stage.modern()).watch("news://today");
    return prepareCall("modern", "announce", {}, "announced")(stage);
  },
  "session: opening, with its stream": async (stage) => () => stage.legacy(),
  "session: a call": prepareCall("legacy", "add", { a: 1, b: 2 }, "3"),
  "session: a call under a rate limit": prepareCall("legacy", "limited", { a: 1, b: 2 }, "3"),
  "session: a call that reports progress three times": prepareCall("legacy", "report", {}, "reported", {
    onprogress: () => {},
  }),
  "session: a call with a question": prepareCall("legacy", "confirm", {}, "accept"),
  "session: a log level": async (stage) => {
    const client = await warm(stage, "legacy");
    return () => client.setLevel("error");
  },
  "session: a subscription opened and ended": async (stage) => {
    const client = await warm(stage, "legacy");
    return async () => {
      await client.watch("news://today");
      await client.unwatch("news://today");
    };
  },
  "session: a resource changes, one subscriber": async (stage) => {
    const client = await warm(stage, "legacy");
    await client.watch("news://today");
    return () => expectText(client, "announce", {}, "announced");
  },
};

/**
 * Counts the Redis commands that each kind of request causes.
 *
 * @param {import("../clients/server-process.mjs").Command} command
 * @returns {Promise<Map<string, CommandsOfKind>>}
 */
export async function measureCommands(command) {
  /** @type {Map<string, CommandsOfKind>} */
  const found = new Map();
  for (const [name, prepare] of Object.entries(KINDS)) {
    const replicas = await Replicas.start(command, 3);
    try {
      found.set(name, await countCommands(replicas, prepare));
    } finally {
      await replicas.stop();
    }
  }
  return found;
}

/** @param {Replicas} replicas @param {(typeof KINDS)[string]} prepare @returns {Promise<CommandsOfKind>} */
async function countCommands(replicas, prepare) {
  let next = 0;
  const url = () => replicas.urlFor(next++);
  /** @type {OfficialClient[]} */
  const clients = [];
  const open = async (/** @type {number} */ which) => {
    const client = await /** @type {(typeof COMBINATIONS)[number]} */ (COMBINATIONS[which]).connect(url(), {
      answers: { elicit: () => ({ action: "accept", content: {} }) },
      fetch: (_, init) => fetch(url(), init),
    });
    clients.push(client);
    return client;
  };
  const act = await prepare({ legacy: () => open(1), modern: () => open(2), url });
  // The first run loads scripts.
  await act();
  await wait(QUIET_MS);
  const monitor = await RedisMonitor.start(replicas.redis.port);
  try {
    for (let count = 0; count < TIMES; count++) await act();
    await wait(QUIET_MS);
    /** @type {Record<string, number>} */
    const each = {};
    for (const asked of monitor.commands) each[asked] = (each[asked] ?? 0) + 1 / TIMES;
    return { all: monitor.commands.length / TIMES, each };
  } finally {
    monitor.stop();
    await Promise.all(clients.map((each) => each.close()));
  }
}

/** Opens a client that all processes know. @param {Stage} stage @param {"legacy" | "modern"} era */
async function warm(stage, era) {
  const client = await stage[era]();
  for (let calls = 0; calls < 6; calls++) await expectText(client, "limited", { a: 1, b: 2 }, "3");
  return client;
}

/**
 * @param {"legacy" | "modern"} era @param {string} name @param {object} args @param {string} due
 * @param {CallOptions} [options]
 * @returns {(typeof KINDS)[string]}
 */
function prepareCall(era, name, args, due, options) {
  return async (stage) => {
    const client = await warm(stage, era);
    return () => expectText(client, name, args, due, options);
  };
}

/**
 * @param {OfficialClient} client @param {string} name @param {object} args @param {string} due
 * @param {CallOptions} [options]
 */
async function expectText(client, name, args, due, options) {
  const result = await client.call(name, args, options);
  if (result.content[0].text !== due) throw new WrongAnswer(name, result);
}
