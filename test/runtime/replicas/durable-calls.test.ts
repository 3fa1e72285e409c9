/**
 * Durable calls: when the process of a legacy call dies, the call continues in another process.
 *
 * Each test starts processes `a`, `b`, … that share a store, and one client. The client calls a tool of `../orders/application.ts`
 * in `a`, and answers each question in the process that the test chooses.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { accept, type CallProcess, closeAll, startCall } from "./durable-call.js";

const processes: CallProcess[] = [];
afterEach(() => closeAll(processes.splice(0)));

async function start(count = 2) {
  const started = await startCall(count);
  processes.push(...started.processes);
  const [a, b, c] = started.processes as [CallProcess, CallProcess, CallProcess];
  return { ...started, a, b, c };
}

/** The response of the tool `order`, which asks "Who?", reserves, asks "Where to?", and pays. */
const ORDERED = ["Ada, reserve 1, Oslo, pay 2"];

describe("a call that asks its client", () => {
  test("continues if other processes receive the answers", async () => {
    const { a, b, c, client, shop } = await start(3);
    void a.call("order");
    expect(await client.answer(1, "Ada", b)).toBeUndefined();
    await client.answer(2, "Oslo", c);
    expect(await client.response()).toEqual(ORDERED);
    expect(shop.effects).toHaveLength(2);
  });

  test("continues, after its process died, in the process that receives an answer", async () => {
    const { a, b, client, shop } = await start();
    void a.call("order");
    await client.answer(1, "Ada", a);
    await client.question(2);
    await a.kill();
    await client.answer(2, "Oslo", b);
    expect(await client.response()).toEqual(ORDERED);
    expect(shop.effects).toHaveLength(2);
    expect(client.questions).toHaveLength(2);
  });

  test("continues, after its process died, in the process that resumes its stream, without repeating a question", async () => {
    const { a, b, client } = await start();
    void a.call("order");
    await client.question(1);
    expect(await b.resumeStream()).toBe(true);
    await a.kill();
    expect(await b.resumeStream()).toBe(true);
    await client.answer(1, "Ada", b);
    await client.question(2);
    expect(client.questions).toHaveLength(2);
  });

  test("continues in another process when its own shuts down", async () => {
    const { a, b, client } = await start();
    void a.call("order");
    await client.question(1);
    a.shutDown();
    await vi.waitFor(async () => expect(await b.resumeStream()).toBe(true));
    await client.answer(1, "Ada", b);
    await client.answer(2, "Oslo", b);
    expect(await client.response()).toEqual(ORDERED);
  });

  test("survives the death of any number of processes while it waits for an answer", async () => {
    const { processes: all, a, client } = await start(5);
    void a.call("order");
    await client.question(1);
    for (const [index, process] of all.slice(0, 4).entries()) {
      await process.kill();
      await all[index + 1]!.resumeStream();
    }
    await client.answer(1, "Ada", all[4]!);
    await client.answer(2, "Oslo", all[4]!);
    expect(await client.response()).toEqual(ORDERED);
  });

  test("fails after three processes died while they ran its handler", async () => {
    const { processes: all, a, client, shop } = await start(4);
    shop.beforeEffect = () => new Promise(() => {});
    void a.call("order");
    await client.answer(1, "Ada", a);
    for (const [index, process] of all.slice(0, 3).entries()) {
      await process.kill();
      await all[index + 1]!.resumeStream();
    }
    const message = "The call failed because 3 processes crashed while they worked on it.";
    expect(await client.response()).toEqual([{ code: -32603, message }]);
  });

  test("is not affected by its former process if that was only paused", async () => {
    const { a, b, client, shop } = await start();
    void a.call("order");
    await client.question(1);
    await a.kill();
    await b.resumeStream();
    a.resume();
    await client.answer(1, "Ada", b);
    await client.answer(2, "Oslo", b);
    expect(await client.response()).toHaveLength(1);
    expect(new Set(shop.effects).size).toBe(2);
    expect(client.questions).toHaveLength(2);
  });

  test("uses the first of two answers, and ignores an answer to a question that it did not ask", async () => {
    const { a, b, client } = await start();
    void a.call("order");
    const { id } = await client.question(1);
    await client.answer(1, "Ada", b);
    await client.answer(1, "Eve", b);
    await b.post({ id: String(id).replace("tenon.1.", "tenon.9."), result: accept("Eve") });
    await client.rejectQuestion(2, b);
    expect(await client.response()).toEqual(["The client rejected the request: No."]);
  });

  test("stores only records that expire", async () => {
    const { a, client, store } = await start(1);
    const set = vi.spyOn(store, "set");
    void a.call("order");
    await client.answer(1, "Ada", a);
    await client.answer(2, "Oslo", a);
    expect(await client.response()).toHaveLength(1);
    expect(set.mock.calls.length).toBeGreaterThan(5);
    for (const [, , { ttlMs }] of set.mock.calls) expect(ttlMs).toBeLessThanOrEqual(2 * 3_600_000);
  });
});

describe("a handler that runs again in another process", () => {
  test("receives the same outcome for each question", async () => {
    const { a, b, client } = await start();
    void a.call("asksAgain");
    await client.rejectQuestion(1, a);
    await client.question(2);
    await a.kill();
    await client.answer(2, "Ada", b);
    expect(await client.response()).toEqual(["Ada for ada after: The client rejected the request: No."]);
  });

  test("reuses the result of a step before its first question", async () => {
    const { a, b, client, shop } = await start();
    void a.call("stepBeforeQuestion");
    await client.question(1);
    await a.kill();
    await client.answer(1, "Ada", b);
    expect(await client.response()).toEqual(["Ada last 2"]);
    expect(shop.count("first")).toBe(1);
  });

  test("reuses the result of a step that ended while its first question was open", async () => {
    const { a, b, client, shop, store } = await start();
    const set = vi.spyOn(store, "set");
    shop.beforeEffect = async () => void (await client.question(1));
    void a.call("stepDuringQuestion");
    await vi.waitFor(() =>
      expect(set.mock.calls.some(([, value]) => value.includes("reserve 1"))).toBe(true),
    );
    await a.kill();
    await client.answer(1, "Ada", b);
    expect(await client.response()).toEqual(["Ada reserve 1"]);
    expect(shop.count("reserve")).toBe(1);
  });

  test("sends its user to a URL with the same elicitation ID", async () => {
    const { a, b, client } = await start();
    void a.call("opensUrl");
    await client.question(1);
    await a.kill();
    await client.answer(1, "Ada", b);
    expect(await client.response()).toEqual(["accept"]);
  });

  test("sends each log message once, at the level that the client has set", async () => {
    const { a, b, client } = await start();
    await a.post({ id: 1, method: "logging/setLevel", params: { level: "debug" } });
    void a.call("logs");
    await client.question(1);
    await a.kill();
    await client.answer(1, "Ada", b);
    expect(await client.response()).toEqual(["Ada"]);
    const logged = client.messages.flatMap(({ params }) => (params as { data?: unknown }).data ?? []);
    expect(logged).toEqual(["before", "after"]);
  });

  test.each(["changesQuestion", "rewordsQuestion"])(
    "fails if it asks a different question: %s",
    async (tool) => {
      const { a, b, client } = await start();
      void a.call(tool);
      await client.answer(1, "Ada", a);
      await client.question(2);
      await a.kill();
      await client.answer(2, "Oslo", b);
      expect(await client.response()).toMatchObject([
        { code: -32603, message: expect.stringContaining("is not the question that was asked") },
      ]);
    },
  );
});

describe("a call that is cancelled", () => {
  const CANCELLED = { method: "notifications/cancelled", params: { requestId: 7 } };

  test.each(["is alive", "has died"])(
    "ends if another process receives the cancellation, while its own %s",
    async (state) => {
      const { a, b, client } = await start();
      void a.call("order");
      await client.question(1);
      if (state === "has died") await a.kill();
      await b.post(CANCELLED);
      await vi.waitFor(() => expect(client.hasEnded).toBe(true));
      await client.answer(1, "Ada", b);
      expect([client.responses, client.questions.length]).toEqual([[], 1]);
    },
  );

  test("receives no response, even if its process has not received the cancellation yet", async () => {
    const { a, b, client, shop, store } = await start();
    const set = vi.spyOn(store, "set");
    shop.beforeEffect = async (effect) => {
      if (effect !== "pay") return;
      // The message from `b` to `a` about the cancellation is lost.
      store.publish = async () => {};
      await b.post(CANCELLED);
      await vi.waitFor(() =>
        expect(set.mock.calls.some(([, value]) => value.includes('"answer":null'))).toBe(true),
      );
    };
    const called = a.call("order");
    await client.answer(1, "Ada", a);
    await client.answer(2, "Oslo", a);
    await called;
    expect(client.responses).toEqual([]);
    expect(client.hasEnded).toBe(true);
  });

  test("causes no unhandled rejection while another process still reads the sent messages", async () => {
    const { a, b, client } = await start();
    void a.call("order");
    await client.question(1);
    await a.kill();
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    client.isReadSlowly = true;
    await b.resumeStream();
    await b.post(CANCELLED);
    // Longer than a read takes.
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe("while the store is unreachable", () => {
  const fail = () => Promise.reject(new Error("connect ECONNREFUSED"));

  /** Runs with a clock that is half a minute ahead when it returns, which is longer than any operation is retried. */
  const givingUp = async <Result>(act: () => Promise<Result>): Promise<Result> => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const done = act();
    await vi.advanceTimersByTimeAsync(30_000);
    vi.useRealTimers();
    return done;
  };

  test("a question is sent if the store recovers soon", async () => {
    const { a, client, store } = await start(1);
    const { set } = store;
    let failures = 3;
    store.set = (...args) => (failures-- > 0 ? fail() : set.apply(store, args));
    void a.call("order");
    await client.question(1);
    expect(failures).toBeLessThan(0);
    expect(client.outcomes).toEqual([]);
  });

  test("a call whose question cannot be stored fails without asking its client", async () => {
    const { a, client, store } = await start(1);
    const { set } = store;
    store.set = fail;
    await givingUp(() => a.call("order"));
    store.set = set;
    expect(client.outcomes).toMatchObject([{ message: expect.stringContaining("cannot reach the store") }]);
    expect(client.questions).toEqual([]);
  });

  test("an answer is stored if the store recovers soon", async () => {
    const { a, b, client, store } = await start();
    void a.call("order");
    await client.question(1);
    const { get } = store;
    let failures = 3;
    store.get = (key) => (failures-- > 0 ? fail() : get.call(store, key));
    expect(await client.answer(1, "Ada", b)).toBeUndefined();
    expect(failures).toBeLessThan(0);
    await client.question(2);
  });

  test("an answer that cannot be stored is rejected with 503, and accepted later", async () => {
    const { a, b, client, store } = await start();
    void a.call("order");
    await client.question(1);
    const { get } = store;
    store.get = fail;
    expect(await givingUp(() => client.answer(1, "Ada", b))).toMatchObject({
      status: 503,
      headers: { "retry-after": "1" },
      text: expect.stringContaining("cannot reach the store") as string,
    });
    store.get = get;
    expect(await client.answer(1, "Ada", b)).toBeUndefined();
    await client.question(2);
  });
});
