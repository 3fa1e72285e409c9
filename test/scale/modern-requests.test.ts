/** Requests of 2026-07-28 stand alone: any replica answers them, with a store or without. */
import { expect, test } from "vitest";
import { clientsOf, describeWithoutRedis, describeWithRedis, type Scene } from "./clusters.js";

const accept = (content: object) => ({ action: "accept", content });

function anyReplicaAnswers(scene: Scene): void {
  test.each(clientsOf("modern"))("%s: each request goes to another replica", async (_, combination) => {
    const client = await scene.connect(combination);
    const replicas = new Set<string>();
    for (let calls = 0; calls < 6; calls++) {
      const { structuredContent } = await client.call("where");
      replicas.add(structuredContent.replica);
    }
    expect([...replicas].toSorted()).toEqual(["a", "b", "c"]);
  });

  test.each(clientsOf("modern"))(
    "%s: a question is asked by one and answered at another",
    async (_, combination) => {
      const { ledger } = scene.cluster;
      ledger.open("rounds answered");
      const client = await scene.connect(combination, {
        answers: {
          elicit: (message) => accept(message.includes("Who") ? { person: "Ada" } : { sure: true }),
        },
      });
      const { structuredContent } = await client.call("order", { name: "rounds" });
      expect(structuredContent).toMatchObject({ to: "Ada" });
      expect(new Set(await ledger.reached("rounds asks", 3)).size).toBe(3);
      expect(ledger.named("rounds reserve")).toHaveLength(1);
      expect(ledger.named("rounds ship")).toHaveLength(1);
    },
  );
}

describeWithoutRedis("without a store", anyReplicaAnswers);
describeWithRedis("with Redis", anyReplicaAnswers);
