import { setTimeout as wait } from "node:timers/promises";
import { COMBINATIONS } from "../clients/official.mjs";
import { follow, request } from "../clients/raw-tasks.mjs";
import { unlessError } from "./work.mjs";

/**
 * @import { Cluster } from "../cluster/cluster.mjs"
 *
 * A piece of work that waits in the middle.
 * @typedef {object} OpenWork
 * @property {string} name
 * @property {Promise<unknown>} promise Rejects with the error that the client receives.
 * @property {() => void} release Lets it continue.
 * @property {boolean} isStored Whether other processes could continue it, so that it ends when the store loses it.
 * @property {readonly string[]} effects Names of effects that may happen once.
 */

/** Number of steps of a stream. */
const STEPS = 4;

/**
 * Opens work of every kind: calls that wait in their handler and for their user, streams of progress, and tasks.
 * Resolves when all work is waiting.
 *
 * @param {Cluster} cluster
 * @returns {Promise<OpenWork[]>}
 */
export async function openWork(cluster) {
  const calls = COMBINATIONS.flatMap((combination) => [
    openOrder(cluster, combination, "handler"),
    openOrder(cluster, combination, "user"),
    openCount(cluster, combination),
  ]);
  const tasks = [openJob(cluster), openInterview(cluster, "handler"), openInterview(cluster, "user")];
  return Promise.all([...calls, ...tasks]);
}

/**
 * Opens an order, whose first question is answered at once, or not before it is released.
 *
 * @param {Cluster} cluster @param {typeof COMBINATIONS[number]} combination @param {"handler" | "user"} waiting
 * @returns {Promise<OpenWork>}
 */
async function openOrder({ url, ledger }, combination, waiting) {
  const name = `order, ${combination.name}, waits for ${waiting}`;
  const asked = signal();
  const answered = signal();
  const client = await combination.connect(url, {
    answers: {
      elicit: async (message) => {
        if (!message.includes("Who")) return { action: "accept", content: { sure: true } };
        asked.give();
        if (waiting === "user") await answered.given;
        return { action: "accept", content: { person: "Ada" } };
      },
    },
  });
  if (waiting === "user") ledger.open(`${name} answered`);
  const promise = client.call("order", { name }).then(unlessError);
  promise.catch(() => {});
  await asked.given;
  if (waiting === "handler") await ledger.reached(`${name} answered`);
  return {
    name,
    promise,
    isStored: combination.era === "legacy",
    effects: [`${name} reserve`, `${name} ship`],
    release: () => (waiting === "user" ? answered.give() : ledger.open(`${name} answered`)),
  };
}

/**
 * Opens a stream of progress, which has sent its first step.
 *
 * @param {Cluster} cluster @param {typeof COMBINATIONS[number]} combination
 * @returns {Promise<OpenWork>}
 */
async function openCount({ url, ledger }, combination) {
  const name = `stream, ${combination.name}`;
  const client = await combination.connect(url);
  /** @type {number[]} */
  const seen = [];
  const first = signal();
  const onprogress = (/** @type {{ progress: number }} */ { progress }) => {
    seen.push(progress);
    first.give();
  };
  ledger.open(`${name} 1`);
  const promise = client.call("count", { name, steps: STEPS }, { onprogress }).then((result) => {
    unlessError(result);
    if (seen.length !== STEPS) throw new Error(`Progress ${seen.join(", ")} of ${STEPS} steps.`);
  });
  promise.catch(() => {});
  await first.given;
  return {
    name,
    promise,
    isStored: false,
    effects: [],
    release: async () => {
      for (let step = 2; step <= STEPS; step++) {
        ledger.open(`${name} ${step}`);
        await wait(100);
      }
    },
  };
}

/** Opens a task that waits in its handler. @param {Cluster} cluster @returns {Promise<OpenWork>} */
async function openJob({ url, ledger }) {
  const name = "task";
  const { taskId } = await request(url, "tools/call", { name: "job", arguments: { name } });
  await ledger.reached(name);
  const promise = followToEnd(url, taskId);
  promise.catch(() => {});
  return {
    name,
    promise,
    isStored: true,
    effects: [name],
    release: () => ledger.open(name),
  };
}

/**
 * Opens a task with a question, which is answered at once, or not before it is released.
 *
 * @param {Cluster} cluster @param {"handler" | "user"} waiting
 * @returns {Promise<OpenWork>}
 */
async function openInterview({ url, ledger }, waiting) {
  const name = `task with a question, waits for ${waiting}`;
  const released = signal();
  const { taskId } = await request(url, "tools/call", { name: "interview", arguments: { name } });
  if (waiting === "user") ledger.open(`${name} answered`);
  const promise =
    waiting === "user" ? released.given.then(() => followToEnd(url, taskId)) : followToEnd(url, taskId);
  promise.catch(() => {});
  if (waiting === "handler") await ledger.reached(`${name} answered`);
  else await waitUntilAsking(url, taskId);
  return {
    name,
    promise,
    // Its client polls it after the user has answered, and then learns that it is lost.
    isStored: waiting === "handler",
    effects: [`${name} prepare`, `${name} conclude`],
    release: () => (waiting === "user" ? released.give() : ledger.open(`${name} answered`)),
  };
}

/** @param {URL} url @param {string} taskId */
async function followToEnd(url, taskId) {
  const task = await follow(url, taskId, new AbortController().signal);
  if (task.status !== "completed") throw new Error(task.error?.message ?? `The task is ${task.status}.`);
  return unlessError(task.result);
}

/** @param {URL} url @param {string} taskId */
async function waitUntilAsking(url, taskId) {
  for (;;) {
    const { status } = await request(url, "tasks/get", { taskId });
    if (status === "input_required") return;
    await wait(50);
  }
}

/** Creates an event that happens once and can be awaited. */
function signal() {
  /** @type {() => void} */
  let give = () => {};
  /** @type {Promise<void>} */
  const given = new Promise((resolve) => (give = resolve));
  return { given, give };
}
