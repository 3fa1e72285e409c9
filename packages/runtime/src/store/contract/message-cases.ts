import assert from "node:assert/strict";
import { type CaseContext, type CaseTable, eventually, numbers } from "./case.js";

const NO_GAP = (): void => {};

const LAST = "the last message";

/** Waits until all is heard that was published by `a` to these topics before. */
async function heardAll({ a, b }: CaseContext, ...topics: string[]): Promise<void> {
  const heard = new Set<string>();
  const listen = (message: string, topic: string): void => {
    if (message === LAST) heard.add(topic);
  };
  const end = await b.subscribe(topics, listen, NO_GAP);
  for (const topic of topics) await a.publish(topic, LAST);
  await eventually("the last messages arrive", () => heard.size === topics.length);
  await end();
}

/** Takes what is heard, but for the last messages. */
function listener(take: (message: string, topic: string) => void): (message: string, topic: string) => void {
  return (message, topic) => {
    if (message !== LAST) take(message, topic);
  };
}

export const messageCases: CaseTable = {
  "who subscribes to a topic hears what is published from then on, in order": async (context) => {
    const { a, b, name } = context;
    const heard: string[] = [];
    await a.publish(name("topic"), "before");
    await heardAll(context, name("topic"));
    await b.subscribe(
      [name("topic")],
      listener((message, topic) => heard.push(`${topic} ${message}`)),
      NO_GAP,
    );
    await a.publish(name("other"), "elsewhere");
    for (const index of numbers(100)) await a.publish(name("topic"), String(index));
    await heardAll(context, name("topic"), name("other"));
    assert.deepEqual(
      heard,
      numbers(100).map((index) => `${name("topic")} ${index}`),
    );
  },

  "one who publishes hears it as well, and so does everybody": async (context) => {
    const { a, b, name } = context;
    const heard: string[] = [];
    for (const [index, store] of [a, a, b, b].entries())
      await store.subscribe(
        [name("topic")],
        listener((message) => heard.push(`${index} ${message}`)),
        NO_GAP,
      );
    await a.publish(name("topic"), "x");
    await eventually("all four hear it", () => heard.length >= 4);
    await heardAll(context, name("topic"));
    assert.deepEqual(heard.sort(), ["0 x", "1 x", "2 x", "3 x"]);
  },

  "one function subscribed twice is called twice, and ends one by one": async (context) => {
    const { a, b, name } = context;
    let heard = 0;
    const count = listener(() => {
      heard += 1;
    });
    const [first, second] = [
      await b.subscribe([name("topic")], count, NO_GAP),
      await b.subscribe([name("topic")], count, NO_GAP),
    ];
    await a.publish(name("topic"), "x");
    await eventually("both are called", () => heard === 2);
    await first?.();
    await first?.();
    await a.publish(name("topic"), "x");
    await heardAll(context, name("topic"));
    assert.equal(heard, 3);
    await second?.();
    await a.publish(name("topic"), "x");
    await heardAll(context, name("topic"));
    assert.equal(heard, 3);
  },

  "who ends one of several topics goes on with what others share": async (context) => {
    const { a, b, name } = context;
    const heard: string[] = [];
    const hear = (who: string) => listener((message) => heard.push(`${who} ${message}`));
    const endBoth = await b.subscribe([name("1"), name("2")], hear("both"), NO_GAP);
    await b.subscribe([name("2"), name("3")], hear("other"), NO_GAP);
    await endBoth();
    for (const topic of ["1", "2", "3"]) await a.publish(name(topic), topic);
    await heardAll(context, name("1"), name("2"), name("3"));
    assert.deepEqual(heard.sort(), ["other 2", "other 3"]);
    await b.subscribe([name("1")], hear("again"), NO_GAP);
    await a.publish(name("1"), "1");
    await heardAll(context, name("1"));
    assert.deepEqual(heard.slice(2), ["again 1"]);
  },

  "topics come and go at once": async (context) => {
    const { a, b, name } = context;
    const heard = new Map<number, number>();
    await Promise.all(
      numbers(100).map(async (index) => {
        const topic = name(String(index % 10));
        const count = listener(() => heard.set(index, (heard.get(index) ?? 0) + 1));
        const end = await b.subscribe([topic], count, NO_GAP);
        if (index % 2 === 0) await end();
      }),
    );
    for (const index of numbers(10)) await a.publish(name(String(index)), "x");
    await heardAll(context, ...numbers(10).map((index) => name(String(index))));
    const odd = numbers(100).filter((index) => index % 2 === 1);
    assert.deepEqual(
      [...heard].sort(([one], [other]) => one - other),
      odd.map((index) => [index, 1]),
    );
  },

  "1000 topics are heard by one subscription": async (context) => {
    const { a, b, name } = context;
    const heard = new Set<string>();
    const topics = numbers(1000).map((index) => name(String(index)));
    const end = await b.subscribe(
      topics,
      listener((message) => heard.add(message)),
      NO_GAP,
    );
    await Promise.all(topics.map((topic) => a.publish(topic, topic)));
    await eventually("all are heard", () => heard.size === 1000);
    await end();
    heard.clear();
    await Promise.all(topics.map((topic) => a.publish(topic, topic)));
    await heardAll(context, ...topics);
    assert.equal(heard.size, 0);
  },
};
