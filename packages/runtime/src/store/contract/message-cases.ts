import assert from "node:assert/strict";
import { type CaseContext, type CaseTable, waitUntil, range } from "./case.js";

const IGNORE_MISSED = (): void => {};

const LAST = "the last message";

/** Waits until all messages that `a` has published to these topics have arrived. */
async function waitForDelivery({ a, b }: CaseContext, ...topics: string[]): Promise<void> {
  const received = new Set<string>();
  const listen = (message: string, topic: string): void => {
    if (message === LAST) received.add(topic);
  };
  const end = await b.subscribe(topics, listen, IGNORE_MISSED);
  for (const topic of topics) await a.publish(topic, LAST);
  await waitUntil("the last messages arrive", () => received.size === topics.length);
  await end();
}

/** Creates a listener that ignores the final markers. */
function createListener(
  onMessage: (message: string, topic: string) => void,
): (message: string, topic: string) => void {
  return (message, topic) => {
    if (message !== LAST) onMessage(message, topic);
  };
}

export const messageCases: CaseTable = {
  "a subscriber receives messages that are published after it subscribed, in order": async (context) => {
    const { a, b, name } = context;
    const received: string[] = [];
    await a.publish(name("topic"), "before");
    await waitForDelivery(context, name("topic"));
    await b.subscribe(
      [name("topic")],
      createListener((message, topic) => received.push(`${topic} ${message}`)),
      IGNORE_MISSED,
    );
    await a.publish(name("other"), "elsewhere");
    for (const index of range(100)) await a.publish(name("topic"), String(index));
    await waitForDelivery(context, name("topic"), name("other"));
    assert.deepEqual(
      received,
      range(100).map((index) => `${name("topic")} ${index}`),
    );
  },

  "every subscriber receives a message, the publishing store included": async (context) => {
    const { a, b, name } = context;
    const received: string[] = [];
    for (const [index, store] of [a, a, b, b].entries())
      await store.subscribe(
        [name("topic")],
        createListener((message) => received.push(`${index} ${message}`)),
        IGNORE_MISSED,
      );
    await a.publish(name("topic"), "x");
    await waitUntil("all four receive it", () => received.length >= 4);
    await waitForDelivery(context, name("topic"));
    assert.deepEqual(received.sort(), ["0 x", "1 x", "2 x", "3 x"]);
  },

  "a function subscribed twice is called twice, and each subscription ends separately": async (context) => {
    const { a, b, name } = context;
    let received = 0;
    const count = createListener(() => {
      received += 1;
    });
    const [first, second] = [
      await b.subscribe([name("topic")], count, IGNORE_MISSED),
      await b.subscribe([name("topic")], count, IGNORE_MISSED),
    ];
    await a.publish(name("topic"), "x");
    await waitUntil("both are called", () => received === 2);
    await first?.();
    await first?.();
    await a.publish(name("topic"), "x");
    await waitForDelivery(context, name("topic"));
    assert.equal(received, 3);
    await second?.();
    await a.publish(name("topic"), "x");
    await waitForDelivery(context, name("topic"));
    assert.equal(received, 3);
  },

  "ending a subscription keeps other subscriptions to the same topics": async (context) => {
    const { a, b, name } = context;
    const received: string[] = [];
    const listenAs = (label: string) => createListener((message) => received.push(`${label} ${message}`));
    const endBoth = await b.subscribe([name("1"), name("2")], listenAs("both"), IGNORE_MISSED);
    await b.subscribe([name("2"), name("3")], listenAs("other"), IGNORE_MISSED);
    await endBoth();
    for (const topic of ["1", "2", "3"]) await a.publish(name(topic), topic);
    await waitForDelivery(context, name("1"), name("2"), name("3"));
    assert.deepEqual(received.sort(), ["other 2", "other 3"]);
    await b.subscribe([name("1")], listenAs("again"), IGNORE_MISSED);
    await a.publish(name("1"), "1");
    await waitForDelivery(context, name("1"));
    assert.deepEqual(received.slice(2), ["again 1"]);
  },

  "concurrent subscriptions and unsubscriptions leave the right ones active": async (context) => {
    const { a, b, name } = context;
    const received = new Map<number, number>();
    await Promise.all(
      range(100).map(async (index) => {
        const topic = name(String(index % 10));
        const count = createListener(() => received.set(index, (received.get(index) ?? 0) + 1));
        const end = await b.subscribe([topic], count, IGNORE_MISSED);
        if (index % 2 === 0) await end();
      }),
    );
    for (const index of range(10)) await a.publish(name(String(index)), "x");
    await waitForDelivery(context, ...range(10).map((index) => name(String(index))));
    const odd = range(100).filter((index) => index % 2 === 1);
    assert.deepEqual(
      [...received].sort(([one], [other]) => one - other),
      odd.map((index) => [index, 1]),
    );
  },

  "one subscription receives messages of 1000 topics": async (context) => {
    const { a, b, name } = context;
    const received = new Set<string>();
    const topics = range(1000).map((index) => name(String(index)));
    const end = await b.subscribe(
      topics,
      createListener((message) => received.add(message)),
      IGNORE_MISSED,
    );
    await Promise.all(topics.map((topic) => a.publish(topic, topic)));
    await waitUntil("all messages arrive", () => received.size === 1000);
    await end();
    received.clear();
    await Promise.all(topics.map((topic) => a.publish(topic, topic)));
    await waitForDelivery(context, ...topics);
    assert.equal(received.size, 0);
  },
};
