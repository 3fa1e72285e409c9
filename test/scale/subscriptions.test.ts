/** A change at one replica reaches subscribers at all of them. */
import { expect, test } from "vitest";
import { listClients, describeWithRedis, type OfficialClient } from "./clusters.js";

const UPDATED = "notifications/resources/updated";
const LIST_CHANGED = "notifications/tools/list_changed";

const findNotifications = (client: OfficialClient, wanted: string) =>
  client.heard.filter(({ method }) => method === wanted);

describeWithRedis("with Redis", (scene) => {
  test.each(listClients())("%s: an update at any replica reaches each subscriber", async (_, combination) => {
    const { proxy } = scene.cluster;
    const id = crypto.randomUUID();
    const clients = [];
    for (const replica of [0, 1, 2]) {
      proxy.turnTo(replica);
      const client = await scene.connect(combination);
      await client.watch(`note://${id}`);
      clients.push(client);
    }
    const [caller] = clients as [OfficialClient];
    for (const replica of [0, 1, 2]) {
      for (const client of clients) client.heard.length = 0;
      for (const client of clients) {
        // A legacy client's stream opens while its first responses arrive.
        await expect
          .poll(async () => {
            proxy.turnTo(replica);
            await caller.call("touch", { id });
            return findNotifications(client, UPDATED).map(({ params }) => params.uri);
          })
          .toContain(`note://${id}`);
      }
    }
  });

  test.each(listClients())("%s: an unsubscribed client is not notified", async (_, combination) => {
    const { proxy } = scene.cluster;
    const [id, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const client = await scene.connect(combination);
    await client.watch(`note://${id}`);
    await client.watch(`note://${other}`);
    for (const uri of [id, other]) {
      await expect
        .poll(async () => {
          await client.call("touch", { id: uri });
          return findNotifications(client, UPDATED).map(({ params }) => params.uri);
        })
        .toContain(`note://${uri}`);
    }
    await client.unwatch(`note://${id}`);
    for (const replica of [0, 1, 2]) {
      proxy.turnTo(replica);
      await expect
        .poll(async () => {
          client.heard.length = 0;
          await client.call("touch", { id });
          await expect
            .poll(async () => {
              await client.call("touch", { id: other });
              return findNotifications(client, UPDATED).map(({ params }) => params.uri);
            })
            .toContain(`note://${other}`);
          return findNotifications(client, UPDATED).map(({ params }) => params.uri);
        })
        .not.toContain(`note://${id}`);
    }
  });

  test.each(listClients())("%s: a list changed at one replica changes for all", async (_, combination) => {
    const { proxy } = scene.cluster;
    const clients = [await scene.connect(combination), await scene.connect(combination)];
    for (const client of clients) await client.watch("note://any");
    for (const replica of [0, 1, 2]) {
      for (const client of clients) {
        client.heard.length = 0;
        await expect
          .poll(async () => {
            proxy.turnTo(replica);
            await client.call("toggle");
            return findNotifications(client, LIST_CHANGED).length;
          })
          .toBeGreaterThan(0);
      }
    }
  });
});
