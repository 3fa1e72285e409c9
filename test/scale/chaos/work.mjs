import { setTimeout as wait } from "node:timers/promises";
import { follow, RejectedError, request } from "../clients/raw-tasks.mjs";

/**
 * @import { Random } from "../../fuzz/generate/random.mjs"
 * @import { Ledger } from "../cluster/ledger.mjs"
 * @import { OfficialClient } from "../clients/official.mjs"
 * @import { Outcomes } from "./outcomes.mjs"
 *
 * The dependencies of a piece of work.
 * @typedef {object} Tools
 * @property {URL} url
 * @property {OfficialClient} client
 * @property {Ledger} ledger
 * @property {Random} random
 * @property {string} name Unique to this piece of work.
 * @property {AbortSignal} signal Ends what can no longer be answered.
 *
 * Does the work and checks the outcome. Returns the problem, if there is one. Throws the error that the client
 * received.
 * @typedef {(tools: Tools) => Promise<string | undefined>} Work
 */

/** Returns a tool result, or throws its error. @param {any} result @returns {any} */
export function unlessError(result) {
  if (result.isError === true) throw new Error(result.content[0]?.text);
  return result;
}

/** Returns the receipt of the ledger for an effect. @param {Ledger} ledger @param {string} name */
function findReceipt(ledger, name) {
  const index = [...ledger.effects.values()].findIndex((effect) => effect.name === name);
  return `receipt ${index + 1}`;
}

/** Returns the problem with a receipt. @param {Ledger} ledger @param {string} name @param {string} given */
function falseReceipt(ledger, name, given) {
  const due = findReceipt(ledger, name);
  return given === due ? undefined : `${name}: the result has "${given}", and the ledger "${due}"`;
}

/** The kinds of work, with their weights. @type {readonly (readonly [weight: number, kind: string, work: Work])[]} */
export const WORK = [
  [
    3,
    "plain call",
    async ({ client, signal }) => {
      const { structuredContent } = unlessError(await client.call("where", {}, { signal }));
      return ["a", "b", "c"].includes(structuredContent.replica) ? undefined : "no replica responded";
    },
  ],
  [
    4,
    "order, with two questions",
    async ({ client, ledger, name, signal }) => {
      const { structuredContent: order } = unlessError(await client.call("order", { name }, { signal }));
      if (order.to !== "Ada") return `${name}: an answer was lost: ${JSON.stringify(order)}`;
      return (
        falseReceipt(ledger, `${name} reserve`, order.reserved) ??
        falseReceipt(ledger, `${name} ship`, order.shipped)
      );
    },
  ],
  [
    2,
    "stream of progress",
    async ({ client, ledger, name, random, signal }) => {
      /** @type {number[]} */
      const seen = [];
      const steps = 2 + random.below(3);
      const pace = async () => {
        for (let step = 1; step <= steps; step++) {
          ledger.open(`${name} ${step}`);
          await wait(random.below(80), undefined, { signal });
        }
      };
      const onprogress = (/** @type {{ progress: number }} */ { progress }) => seen.push(progress);
      const call = client.call("count", { name, steps }, { onprogress, signal });
      const [result] = await Promise.all([call, pace()]);
      unlessError(result);
      const due = Array.from({ length: steps }, (_, index) => index + 1);
      return String(seen) === String(due)
        ? undefined
        : `${name}: progress ${seen.join(", ")} of ${steps} steps`;
    },
  ],
  [
    2,
    "task",
    async ({ url, ledger, name, random, signal }) => {
      const tool = random.pick(["job", "interview"]);
      const { taskId, resultType } = await request(
        url,
        "tools/call",
        { name: tool, arguments: { name } },
        { signal },
      );
      if (resultType !== "task") return `${name}: no task was begun`;
      await wait(random.below(300), undefined, { signal });
      // From now on it is acknowledged, so a replica that rejects it has lost it.
      ledger.open(name);
      ledger.open(`${name} answered`);
      const task = await follow(url, taskId, signal).catch((error) => {
        if (!(error instanceof RejectedError)) throw error;
        return { status: `lost: ${error.message}` };
      });
      if (task.status !== "completed") return `${name}: the task is ${task.status}`;
      const [{ text }] = task.result.content;
      if (task.result.isError === true) return `${name}: the task ended with "${text}"`;
      if (tool === "job") return falseReceipt(ledger, name, text);
      return text ===
        `Ada: ${findReceipt(ledger, `${name} prepare`)}, ${findReceipt(ledger, `${name} conclude`)}`
        ? undefined
        : `${name}: the task's result is "${text}"`;
    },
  ],
];
