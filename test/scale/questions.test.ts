/** A client may respond to an input request at another replica, and the one that sent it may no longer exist. */
import { expect, test } from "vitest";
import { type Answers, listClients, describeWithRedis, type Scene } from "./clusters.js";

const accept = (content: object) => ({ action: "accept", content });

/** Accepts every question, as Ada. */
const ADA: Answers = {
  elicit: (message) => accept(message.includes("Who") ? { person: "Ada" } : { sure: true }),
};

/** Expects exactly one effect of each kind from an order, however often its handler ran. */
function expectOneEffectEach({ cluster: { ledger } }: Scene, job: string): void {
  expect(ledger.named(`${job} reserve`)).toHaveLength(1);
  expect(ledger.named(`${job} ship`)).toHaveLength(1);
}

describeWithRedis("with Redis", (scene) => {
  test.each(listClients())(
    "%s: forms are sent by one replica and answered at another",
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

  test.each(listClients())(
    "%s: requests for roots and sampling can be answered at any replica",
    async (_, combination) => {
      const sample = { role: "assistant", model: "m", content: { type: "text", text: "A house." } };
      const client = await scene.connect(combination, { answers: { ...ADA, sample: () => sample } });
      for (let calls = 0; calls < 3; calls++) {
        const { content } = await client.call("summarize");
        expect(JSON.parse(content[0].text)).toEqual(sample.content);
      }
    },
  );

  test.each(listClients())(
    "%s: concurrent questions each receive their own answer",
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

  test.each(listClients())(
    "%s: the replica that asked may be killed before the answer",
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

  test.each(listClients("legacy"))(
    "%s: the replica may be killed after the answer",
    async (name, combination) => {
      const { ledger } = scene.cluster;
      const job = `killed at work ${name}`;
      const client = await scene.connect(combination, { answers: ADA });
      const call = client.call("order", { name: job });
      const [replica = ""] = await ledger.reached(`${job} answered`);
      await scene.kill(replica);
      ledger.open(`${job} answered`);
      expect((await call).structuredContent).toMatchObject({ to: "Ada" });
      expectOneEffectEach(scene, job);
    },
  );

  test.each(listClients("legacy"))("%s: every replica may be killed in turn", async (name, combination) => {
    const { ledger } = scene.cluster;
    const job = `killed all ${name}`;
    ledger.open(`${job} answered`);
    const replaceReplicas = async () => {
      for (const { name: replica } of scene.cluster.named) {
        await scene.kill(replica);
        await scene.cluster.replica(replica).start();
      }
    };
    const client = await scene.connect(combination, {
      answers: {
        elicit: async (message) => {
          await replaceReplicas();
          return accept(message.includes("Who") ? { person: "Ada" } : { sure: true });
        },
      },
    });
    expect((await client.call("order", { name: job })).structuredContent).toMatchObject({ to: "Ada" });
    expectOneEffectEach(scene, job);
  });

  test.each(listClients("legacy"))(
    "%s: a declined question is declined everywhere",
    async (name, combination) => {
      const client = await scene.connect(combination, { answers: { elicit: () => ({ action: "decline" }) } });
      const result = await client.call("order", { name: `declined ${name}` });
      expect(result).toMatchObject({ isError: true, content: [{ text: "Nobody wants it." }] });
    },
  );

  test.each(listClients())("%s: a call can be cancelled at any replica", async (name, combination) => {
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
