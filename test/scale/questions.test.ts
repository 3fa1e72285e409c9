/** What a client is asked by one replica it may answer at another, and the one that asked may be gone by then. */
import { expect, test } from "vitest";
import { type Answers, clientsOf, describeWithRedis, type Scene } from "./clusters.js";

const accept = (content: object) => ({ action: "accept", content });

/** Answers as Ada does who wants it all. */
const ADA: Answers = {
  elicit: (message) => accept(message.includes("Who") ? { person: "Ada" } : { sure: true }),
};

/** What an order has done, however often it was run: one effect of each kind. */
function expectOneEffectEach({ cluster: { ledger } }: Scene, job: string): void {
  expect(ledger.named(`${job} reserve`)).toHaveLength(1);
  expect(ledger.named(`${job} ship`)).toHaveLength(1);
}

describeWithRedis("with Redis", (scene) => {
  test.each(clientsOf())(
    "%s: forms are asked for at one and answered at another",
    async (name, combination) => {
      const { ledger } = scene.cluster;
      const job = `asked ${name}`;
      ledger.open(`${job} answered`);
      const client = await scene.connect(combination, { answers: ADA });
      const { structuredContent } = await client.call("order", { name: job });
      expect(structuredContent).toMatchObject({ to: "Ada" });
      expectOneEffectEach(scene, job);
    },
  );

  test.each(clientsOf())("%s: roots and samples come from anywhere", async (_, combination) => {
    const sample = { role: "assistant", model: "m", content: { type: "text", text: "A house." } };
    const client = await scene.connect(combination, { answers: { ...ADA, sample: () => sample } });
    for (let calls = 0; calls < 3; calls++) {
      const { content } = await client.call("summarise");
      expect(JSON.parse(content[0].text)).toEqual(sample.content);
    }
  });

  test.each(clientsOf())(
    "%s: many are asked at once, and each gets its own answer",
    async (name, combination) => {
      const clients = await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          scene.connect(combination, {
            answers: {
              elicit: (message) => accept(message.includes("Who") ? { person: `P${index}` } : { sure: true }),
            },
          }),
        ),
      );
      const orders = clients.flatMap((client, index) =>
        [1, 2].map(async (turn) => {
          const job = `many ${name} ${index} ${turn}`;
          scene.cluster.ledger.open(`${job} answered`);
          const { structuredContent } = await client.call("order", { name: job });
          expect(structuredContent).toMatchObject({ to: `P${index}` });
          expectOneEffectEach(scene, job);
        }),
      );
      await Promise.all(orders);
    },
  );

  test.each(clientsOf())(
    "%s: the replica that asked is killed before the answer",
    async (name, combination) => {
      const { ledger } = scene.cluster;
      const job = `killed asking ${name}`;
      ledger.open(`${job} answered`);
      const client = await scene.connect(combination, {
        answers: {
          elicit: async (message) => {
            if (!message.includes("Who")) return accept({ sure: true });
            const [replica = ""] = await ledger.reached(`${job} asks`);
            await scene.kill(replica);
            return accept({ person: "Ada" });
          },
        },
      });
      const { structuredContent } = await client.call("order", { name: job });
      expect(structuredContent).toMatchObject({ to: "Ada" });
      expectOneEffectEach(scene, job);
    },
  );

  test.each(clientsOf("legacy"))("%s: the replica is killed after the answer", async (name, combination) => {
    const { ledger } = scene.cluster;
    const job = `killed at work ${name}`;
    const client = await scene.connect(combination, { answers: ADA });
    const call = client.call("order", { name: job });
    const [replica = ""] = await ledger.reached(`${job} answered`);
    await scene.kill(replica);
    ledger.open(`${job} answered`);
    expect((await call).structuredContent).toMatchObject({ to: "Ada" });
    expectOneEffectEach(scene, job);
  });

  test.each(clientsOf("legacy"))("%s: every replica is killed in turn", async (name, combination) => {
    const { ledger } = scene.cluster;
    const job = `killed all ${name}`;
    ledger.open(`${job} answered`);
    const rolling = async () => {
      for (const { name: replica } of scene.cluster.named) {
        await scene.kill(replica);
        await scene.cluster.replica(replica).start();
      }
    };
    const client = await scene.connect(combination, {
      answers: {
        elicit: async (message) => {
          await rolling();
          return accept(message.includes("Who") ? { person: "Ada" } : { sure: true });
        },
      },
    });
    expect((await client.call("order", { name: job })).structuredContent).toMatchObject({ to: "Ada" });
    expectOneEffectEach(scene, job);
  });

  test.each(clientsOf("legacy"))(
    "%s: a declined question is declined everywhere",
    async (name, combination) => {
      const client = await scene.connect(combination, { answers: { elicit: () => ({ action: "decline" }) } });
      const result = await client.call("order", { name: `declined ${name}` });
      expect(result).toMatchObject({ isError: true, content: [{ text: "Nobody wants it." }] });
    },
  );

  test.each(clientsOf())("%s: a call is cancelled, wherever that is said", async (name, combination) => {
    const { proxy, ledger } = scene.cluster;
    const client = await scene.connect(combination);
    for (const replica of [0, 1, 2]) {
      const job = `cancelled ${name} ${replica}`;
      const cancelling = new AbortController();
      proxy.turnTo(0);
      const call = client.call("work", { name: job }, { signal: cancelling.signal });
      const over = call.then(
        () => "answered",
        () => "cancelled",
      );
      const at = await ledger.reached(job);
      proxy.turnTo(replica);
      cancelling.abort("not wanted");
      expect(await over).toBe("cancelled");
      expect(await ledger.reached(`${job} cancelled`)).toEqual(at);
    }
  });
});
