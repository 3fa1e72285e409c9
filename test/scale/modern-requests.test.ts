/** Requests of 2026-07-28 are independent: any replica serves them, with or without a store. */
import { expect, test } from "vitest";
import { WireClient } from "../support/wire-client.js";
import { httpWire } from "../support/wires.js";
import { listClients, describeWithoutRedis, describeWithRedis, type Scene } from "./clusters.js";

const accept = (content: object) => ({ action: "accept", content });

function anyReplicaAnswers(scene: Scene): void {
  test.each(listClients("modern"))("%s: each request reaches another replica", async (_, combination) => {
    const client = await scene.connect(combination);
    const replicas = new Set<string>();
    for (let calls = 0; calls < 6; calls++) {
      const { structuredContent } = await client.call("where");
      replicas.add(structuredContent.replica);
    }
    expect([...replicas].toSorted()).toEqual(["a", "b", "c"]);
  });

  test.each(listClients("modern"))(
    "%s: a question asked by one replica is answered at another",
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

  test("answers sent twice to two replicas have one effect each", async () => {
    const { proxy, ledger, url } = scene.cluster;
    ledger.open("twice answered");
    const wire = httpWire(url.href, fetch);
    const client = new WireClient(wire, { revision: "2026-07-28", capabilities: { elicitation: {} } });
    const given = { name: "order", arguments: { name: "twice" } };
    const answers = [{ person: "Ada" }, { sure: true }].map((content) => ({ action: "accept", content }));
    let more = {};
    for (const answer of answers) {
      const { inputRequests, requestState } = await client.result("tools/call", { ...given, ...more });
      const [key = ""] = Object.keys(inputRequests as object);
      more = { requestState, inputResponses: { [key]: answer } };
    }
    const results = [];
    for (const replica of [0, 1, 2]) {
      proxy.turnTo(replica);
      const { structuredContent } = await client.result("tools/call", { ...given, ...more });
      results.push(structuredContent);
    }
    const [first] = results as { shipped: string }[];
    for (const result of results) expect(result).toMatchObject({ to: "Ada", shipped: first?.shipped });
    expect(ledger.named("twice reserve")).toHaveLength(1);
    expect(ledger.named("twice ship")).toHaveLength(1);
    await client.close();
  });
}

describeWithoutRedis("without a store", anyReplicaAnswers);
describeWithRedis("with Redis", anyReplicaAnswers);
