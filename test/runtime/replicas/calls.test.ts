/** Legacy calls that ask their client go on when their process dies. */
import { memoryStore } from "@tenon/runtime/store";
import { array, assert, asyncProperty, infiniteStream, integer, nat } from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Call } from "../../../packages/runtime/src/connection/call.js";
import { AwaitedReplies } from "../../../packages/runtime/src/replicas/calls/awaited-replies.js";
import type { RecordedQuestion } from "../../../packages/runtime/src/replicas/calls/call-record.js";
import { Shop } from "../orders/application.js";
import { type Message, Machine, PLACE, SentStream } from "./call-machines.js";

const accept = (name: string): object => ({ action: "accept", content: { name } });

const machines: Machine[] = [];
afterEach(async () => {
  await Promise.all(machines.splice(0).map((each) => (each.isDead ? undefined : each.server.close())));
});

async function start(count: number, onStep?: (machine: Machine) => void) {
  const [store, shop, stream] = [memoryStore(), new Shop(), new SentStream()];
  const started = Array.from({ length: count }, () => new Machine(store, shop, stream, onStep));
  machines.push(...started);
  for (const { replica } of started) await replica.whenHeld();
  const [a, b, c] = started as [Machine, Machine, Machine];
  return { a, b, c, all: started, shop, stream, store };
}

const question = async (stream: SentStream, number: number): Promise<Message> => {
  await vi.waitFor(() => expect(stream.questions.length).toBeGreaterThanOrEqual(number));
  return stream.questions[number - 1] as Message;
};

const textOf = ({ answers }: SentStream): unknown[] =>
  answers.map((text) => {
    const { result, error } = JSON.parse(text) as {
      result?: { content: { text: string }[] };
      error?: Message;
    };
    return result?.content[0]?.text ?? error;
  });

describe("a call that asks", () => {
  test("goes on where the answer is posted anywhere", async () => {
    const { a, b, c, shop, stream } = await start(3);
    void a.call("order");
    expect(await b.post({ id: (await question(stream, 1)).id, result: accept("Ada") })).toBeUndefined();
    await c.post({ id: (await question(stream, 2)).id, result: accept("Oslo") });
    await vi.waitFor(() => expect(textOf(stream)).toEqual(["Ada, reserve 1, Oslo, pay 2"]));
    expect(shop.done).toHaveLength(2);
  });

  test("is taken over by who gets the answer, once its process has died", async () => {
    const { a, b, shop, stream } = await start(2);
    void a.call("order");
    await a.post({ id: (await question(stream, 1)).id, result: accept("Ada") });
    const { id } = await question(stream, 2);
    await a.kill();
    await b.post({ id, result: accept("Oslo") });
    await vi.waitFor(() => expect(textOf(stream)).toEqual(["Ada, reserve 1, Oslo, pay 2"]));
    expect(shop.done).toHaveLength(2);
    expect(stream.questions).toHaveLength(2);
  });

  test("is taken over by who serves its stream, and asks nothing twice", async () => {
    const { a, b, stream } = await start(2);
    void a.call("order");
    const { id } = await question(stream, 1);
    expect(await b.calls.goOn(PLACE)).toBe(true);
    await a.kill();
    expect(await b.calls.goOn(PLACE)).toBe(true);
    await b.post({ id, result: accept("Ada") });
    await question(stream, 2);
    expect(stream.questions).toHaveLength(2);
  });

  test("keeps the first of two answers, and does not know what it did not ask", async () => {
    const { a, b, stream } = await start(2);
    void a.call("order");
    const { id } = await question(stream, 1);
    await b.post({ id, result: accept("Ada") });
    await b.post({ id, result: accept("Eve") });
    await b.post({ id: String(id).replace("tenon.1.", "tenon.9."), result: accept("Eve") });
    await b.post({ id: (await question(stream, 2)).id, error: { code: -1, message: "No." } });
    await vi.waitFor(() => expect(textOf(stream)).toEqual(["The client refused to answer: No."]));
  });

  test("has what came of its questions in every run", async () => {
    const { a, b, stream } = await start(2);
    void a.call("insists");
    await a.post({ id: (await question(stream, 1)).id, error: { code: -1, message: "No." } });
    const { id } = await question(stream, 2);
    await a.kill();
    await b.post({ id, result: accept("Ada") });
    await vi.waitFor(() =>
      expect(textOf(stream)).toEqual(["Ada for ada after: The client refused to answer: No."]),
    );
  });

  test("says what it says once, at the level that its client has set", async () => {
    const { a, b, stream } = await start(2);
    await a.post({ id: 1, method: "logging/setLevel", params: { level: "debug" } });
    void a.call("chatty");
    const { id } = await question(stream, 1);
    await a.kill();
    await b.post({ id, result: accept("Ada") });
    await vi.waitFor(() => expect(textOf(stream)).toEqual(["Ada"]));
    const said = stream.messages.flatMap(({ params }) => (params as { data?: unknown }).data ?? []);
    expect(said).toEqual(["before", "after"]);
  });

  test("that was only stopped says and keeps nothing any more", async () => {
    const { a, b, shop, stream } = await start(2);
    void a.call("order");
    const { id } = await question(stream, 1);
    await a.kill();
    await b.calls.goOn(PLACE);
    a.wake();
    await b.post({ id, result: accept("Ada") });
    await b.post({ id: (await question(stream, 2)).id, result: accept("Oslo") });
    await vi.waitFor(() => expect(textOf(stream)).toHaveLength(1));
    expect(new Set(shop.done).size).toBe(2);
    expect(stream.questions).toHaveLength(2);
  });

  test("goes on elsewhere when its process is told to end", async () => {
    const { a, b, stream } = await start(2);
    void a.call("order");
    const { id } = await question(stream, 1);
    await a.finish();
    await vi.waitFor(async () => expect(await b.calls.goOn(PLACE)).toBe(true));
    await b.post({ id, result: accept("Ada") });
    await b.post({ id: (await question(stream, 2)).id, result: accept("Oslo") });
    await vi.waitFor(() => expect(textOf(stream)).toEqual(["Ada, reserve 1, Oslo, pay 2"]));
  });

  test("ends when it is cancelled anywhere, be its process alive or dead", async () => {
    for (const dies of [false, true]) {
      const { a, b, stream } = await start(2);
      void a.call("order");
      const { id } = await question(stream, 1);
      if (dies) await a.kill();
      await b.post({ method: "notifications/cancelled", params: { requestId: 7 } });
      await vi.waitFor(() => expect(stream.isEnded).toBe(true));
      await b.post({ id, result: accept("Ada") });
      expect([stream.answers, stream.questions.length]).toEqual([[], 1]);
    }
  });

  test("is answered with an error when it asks something else than before", async () => {
    const { a, b, stream } = await start(2);
    void a.call("capricious");
    await a.post({ id: (await question(stream, 1)).id, result: accept("Ada") });
    const { id } = await question(stream, 2);
    await a.kill();
    await b.post({ id, result: accept("Oslo") });
    await vi.waitFor(() =>
      expect(textOf(stream)).toMatchObject([
        { code: -32603, message: expect.stringContaining("is not what was asked") },
      ]),
    );
  });

  test("asks nothing while the store cannot be asked, and says so", async () => {
    const { a, stream, store } = await start(1);
    const { set } = store;
    store.set = () => Promise.reject(new Error("connect ECONNREFUSED"));
    await a.call("order");
    store.set = set;
    expect(textOf(stream)).toMatchObject([
      { message: expect.stringContaining("cannot reach what it shares") },
    ]);
    expect(stream.questions).toEqual([]);
  });

  test("has an answer kept that comes while the store starts again", async () => {
    const { a, b, stream, store } = await start(2);
    void a.call("order");
    const { id } = await question(stream, 1);
    const { get } = store;
    let refusals = 3;
    store.get = async (key) => {
      if (refusals-- > 0) throw new Error("connect ECONNREFUSED");
      return get.call(store, key);
    };
    expect(await b.post({ id, result: accept("Ada") })).toBeUndefined();
    expect(refusals).toBeLessThan(0);
    await question(stream, 2);
  });

  test("is not acknowledged an answer that cannot be kept, and takes it later", async () => {
    const { a, b, stream, store } = await start(2);
    void a.call("order");
    const { id } = await question(stream, 1);
    const { get } = store;
    store.get = () => Promise.reject(new Error("connect ECONNREFUSED"));
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const posted = b.post({ id, result: accept("Ada") });
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(await posted).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      text: expect.stringContaining("cannot reach what it shares") as string,
    });
    store.get = get;
    expect(await b.post({ id, result: accept("Ada") })).toBeUndefined();
    await question(stream, 2);
  });

  test("leaves nothing for ever in the store", async () => {
    const { a, stream, store } = await start(1);
    const set = vi.spyOn(store, "set");
    void a.call("order");
    await a.post({ id: (await question(stream, 1)).id, result: accept("Ada") });
    await a.post({ id: (await question(stream, 2)).id, result: accept("Oslo") });
    await vi.waitFor(() => expect(stream.answers).toHaveLength(1));
    expect(set.mock.calls.length).toBeGreaterThan(5);
    for (const [, , { ttlMs }] of set.mock.calls) expect(ttlMs).toBeLessThanOrEqual(2 * 3_600_000);
  });
});

/** A client that answers what it is asked at any process, until its call is answered. */
async function converse(
  all: readonly Machine[],
  stream: SentStream,
  pick: () => number,
): Promise<"answered" | "forgotten"> {
  const answered = new Set<unknown>();
  const alive = (): Machine => {
    const living = all.filter(({ isDead }) => !isDead);
    return living[pick() % living.length] as Machine;
  };
  void all[0]?.call("order");
  for (;;) {
    if (stream.isEnded) return "answered";
    const open = stream.questions.find(({ id }) => !answered.has(id));
    if (open === undefined) {
      const machine = alive();
      const isKnown = await orDeath(machine, machine.calls.goOn(PLACE));
      if (isKnown === false && all[0]?.isDead === true && !stream.isEnded) return "forgotten";
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    const machine = alive();
    const name = answered.size === 0 ? "Ada" : "Oslo";
    // Of a process that dies the client gets no acknowledgement, and it tries another.
    if ((await orDeath(machine, machine.post({ id: open.id, result: accept(name) }))) !== "dead")
      answered.add(open.id);
  }
}

function orDeath<Value>(machine: Machine, promise: Promise<Value>): Promise<Value | "dead"> {
  return Promise.race([promise, machine.death.then((): "dead" => "dead")]);
}

test("a call that is cancelled while the store is asked what was sent is nobody's unhandled rejection", async () => {
  const cancelled = new AbortController();
  const call = { signal: cancelled.signal, peer: { send: () => {} } } as unknown as Call;
  const awaited = new AwaitedReplies(call, { answerMs: 1000, keep: async () => {}, isOver: () => false });
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const question = { requestId: "1", endsAt: Date.now() + 1000 } as RecordedQuestion;
  const replied = awaited.wait(question, async () => {
    cancelled.abort(new Error("Cancelled."));
    await new Promise(setImmediate);
  });
  await expect(replied).rejects.toThrow("Cancelled.");
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
  expect(awaited.isEmpty).toBe(true);
});

describe("whenever processes die", () => {
  /** Kills whoever takes one of these steps. */
  const run = async (deaths: readonly number[], pick: () => number) => {
    let steps = 0;
    let isOpen = false;
    const started = await start(3, (machine) => {
      if (!isOpen) return;
      steps++;
      const others = machines.filter((each) => !each.isDead && each !== machine);
      if (deaths.includes(steps) && others.length > 0) void machine.kill();
    });
    isOpen = true;
    const outcome = await converse(started.all, started.stream, pick);
    isOpen = false;
    for (const each of machines.splice(0)) if (!each.isDead) await each.server.close();
    return { ...started, outcome, steps };
  };

  const check = ({ outcome, stream, shop }: Awaited<ReturnType<typeof run>>): void => {
    if (outcome === "forgotten") {
      // It had asked its client nothing, so nothing of it was known elsewhere.
      expect([stream.questions, shop.done]).toEqual([[], []]);
      return;
    }
    expect(textOf(stream)).toEqual([expect.stringMatching(/^Ada, reserve 1, Oslo, pay \d$/)]);
    expect(new Set(shop.done).size).toBe(2);
    expect(new Set(stream.questions.map(({ id }) => id)).size).toBe(2);
    expect(stream.questions).toHaveLength(2);
  };

  test("at each step of a modern call, its client tries again and has each effect under one key", async () => {
    let hasDied = true;
    let step = 1;
    for (; hasDied; step++) {
      let steps = -Infinity;
      const { all, shop } = await start(3, (machine) => {
        if (++steps === step) void machine.kill();
      });
      steps = 0;
      let last: Message | undefined;
      for (let tries = 0; last?.result?.["resultType"] !== "complete"; tries++) {
        const living = all.filter(({ isDead }) => !isDead);
        const machine = living[tries % living.length] as Machine;
        const answer = await orDeath(machine, machine.round("order", last));
        if (answer !== "dead") last = answer;
      }
      steps = -Infinity;
      hasDied = all.some(({ isDead }) => isDead);
      expect(last?.result).toMatchObject({
        content: [{ text: expect.stringMatching(/^elicit-1, reserve 1, elicit-2, pay \d$/) as string }],
      });
      expect(new Set(shop.done).size).toBe(2);
      for (const each of machines.splice(0)) if (!each.isDead) await each.server.close();
    }
    expect(step).toBeGreaterThan(15);
  });

  test("at each step of a call, it is answered once, with each effect under one key", async () => {
    let step = 1;
    for (let steps = Infinity; step <= steps; step++) {
      const result = await run([step], () => step);
      check(result);
      steps = result.stream.isEnded && result.all.every(({ isDead }) => !isDead) ? step : Infinity;
    }
    expect(step).toBeGreaterThan(20);
  });

  test("and once more while another goes on, the same holds", async () => {
    await assert(
      asyncProperty(
        array(integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 2 }),
        infiniteStream(nat(100)),
        async (deaths, picks) => {
          check(await run(deaths, () => picks.next().value as number));
        },
      ),
      { numRuns: 60 },
    );
  });
});
