/**
 * Durable calls whose processes die at every possible step: before and after each store operation and each effect. The client
 * continues with any process that is alive.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { array, assert, asyncProperty, infiniteStream, integer, nat } from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import {
  accept,
  type CallClient,
  type CallProcess,
  closeAll,
  type Message,
  startCall,
} from "./durable-call.js";

let processes: CallProcess[] = [];
afterEach(() => closeAll(processes.splice(0)));

/** Chooses a process that is alive. */
type Choose = (alive: readonly CallProcess[]) => CallProcess;

const isAlive = ({ isDead }: CallProcess): boolean => !isDead;

/**
 * Starts three processes. A process dies when it takes one of the given steps, unless it is the last one alive.
 *
 * @param deaths numbers of steps, counted over all processes from `begin`
 */
async function startCrashing(deaths: readonly number[]) {
  let steps = -Infinity;
  const started = await startCall(3, (process) => {
    steps += 1;
    const hasOthers = processes.some((each) => isAlive(each) && each !== process);
    if (deaths.includes(steps) && hasOthers) void process.kill();
  });
  ({ processes } = started);
  return {
    ...started,
    begin: () => void (steps = 0),
    end: async () => {
      steps = -Infinity;
      const hasDied = !processes.every(isAlive);
      await closeAll(processes.splice(0));
      return hasDied;
    },
  };
}

/** Waits for a result of a process, or for its death. */
function unlessDead<Value>(process: CallProcess, promise: Promise<Value>): Promise<Value | "dead"> {
  return Promise.race([promise, process.death.then((): "dead" => "dead")]);
}

/** Calls `order`, and answers each question in a chosen process until the call has a response. */
async function converse(client: CallClient, choose: Choose): Promise<"completed" | "unknown"> {
  const [first] = processes as [CallProcess];
  const answered = new Set<unknown>();
  void first.call("order");
  while (!client.hasEnded) {
    const process = choose(processes.filter(isAlive));
    const question = client.questions.find(({ id }) => !answered.has(id));
    if (question !== undefined) {
      const result = accept(answered.size === 0 ? "Ada" : "Oslo");
      const acknowledged = await unlessDead(process, process.post({ id: question.id, result }));
      if (acknowledged !== "dead") answered.add(question.id);
      continue;
    }
    const isKnown = await unlessDead(process, process.resumeStream());
    if (isKnown === false && first.isDead && !client.hasEnded) return "unknown";
    await sleep(1);
  }
  return "completed";
}

describe("a legacy call whose processes die", () => {
  /** Makes one call, and checks its outcome. Returns whether a process died. */
  async function check(deaths: readonly number[], choose: Choose): Promise<boolean> {
    const { client, shop, begin, end } = await startCrashing(deaths);
    begin();
    const outcome = await converse(client, choose);
    const hasDied = await end();
    if (outcome === "unknown") {
      // The process died before the first question, so no other process knew of the call.
      expect([client.questions, shop.effects]).toEqual([[], []]);
      return hasDied;
    }
    expect(client.outcomes).toEqual([expect.stringMatching(/^Ada, reserve 1, Oslo, pay \d$/)]);
    expect(new Set(shop.effects).size).toBe(2);
    expect(new Set(client.questions.map(({ id }) => id)).size).toBe(2);
    expect(client.questions).toHaveLength(2);
    return hasDied;
  }

  test("at any moment receives one response, with one key per step of its handler", async () => {
    let step = 1;
    while (await check([step], (alive) => alive[step % alive.length] as CallProcess)) step += 1;
    expect(step).toBeGreaterThan(20);
  });

  test("at any two moments receives one response, with one key per step of its handler", async () => {
    const deaths = array(integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 2 });
    await assert(
      asyncProperty(deaths, infiniteStream(nat(100)), async (steps, numbers) => {
        await check(steps, (alive) => alive[(numbers.next().value as number) % alive.length] as CallProcess);
      }),
      { numRuns: 60 },
    );
  });
});

test("a modern call whose process dies at any moment is completed by retries, with one key per step of its handler", async () => {
  let hasDied = true;
  let step = 1;
  for (; hasDied; step++) {
    const { shop, begin, end } = await startCrashing([step]);
    begin();
    let last: Message | undefined;
    for (let tries = 0; last?.result?.["resultType"] !== "complete"; tries++) {
      const alive = processes.filter(isAlive);
      const process = alive[tries % alive.length] as CallProcess;
      const response = await unlessDead(process, process.round("order", last));
      if (response !== "dead") last = response;
    }
    hasDied = await end();
    expect(last.result).toMatchObject({
      content: [{ text: expect.stringMatching(/^elicit-1, reserve 1, elicit-2, pay \d$/) as string }],
    });
    expect(new Set(shop.effects).size).toBe(2);
  }
  expect(step).toBeGreaterThan(15);
});
