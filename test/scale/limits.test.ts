/** What one caller may do holds for all replicas together. */
import { expect, test } from "vitest";
import { clientsOf, describeWithRedis } from "./clusters.js";

describeWithRedis("a rate limit", (scene) => {
  test.each(clientsOf())("%s: is that of all replicas", async (name, combination) => {
    const connecting = { headers: { "x-user": `often ${name}` } };
    const clients = [
      await scene.connect(combination, connecting),
      await scene.connect(combination, connecting),
    ];
    const outcomes: string[] = [];
    for (let calls = 0; calls < 9; calls++) {
      const outcome = clients[calls % 2]?.call("seldom").then(
        ({ isError }) => (isError === true ? "refused" : "served"),
        () => "refused",
      );
      outcomes.push((await outcome) ?? "");
    }
    expect(outcomes).toEqual([...Array(5).fill("served"), ...Array(4).fill("refused")]);
    const other = await scene.connect(combination, { headers: { "x-user": `other ${name}` } });
    expect(await other.call("seldom")).toMatchObject({ content: [{ text: "Called." }] });
  });

  test("is one of calls at the same time, too", async () => {
    const [[, combination]] = clientsOf("modern") as [ReturnType<typeof clientsOf>[number]];
    const client = await scene.connect(combination, { headers: { "x-user": "hasty" } });
    const calls = await Promise.allSettled(Array.from({ length: 30 }, () => client.call("seldom")));
    const served = calls.filter((each) => each.status === "fulfilled" && each.value.isError !== true);
    expect(served).toHaveLength(5);
  });
});
