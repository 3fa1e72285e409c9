import { describe, expect, test } from "vitest";
import { describeTransports, REVISIONS } from "../support/describe-transports.js";
import { createFixture } from "./fixture/application.js";

describeTransports(createFixture, (open, transport) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    const isModern = revision >= "2026-07-28";

    test("a client that asked for progress receives it", async () => {
      const client = await open({ revision });
      const params = { name: "countdown", arguments: { steps: 2 } };
      const quiet = await client.request("tools/call", params);
      expect(quiet.result).toMatchObject({ content: [{ text: "Liftoff." }] });
      expect(client.notifications.filter((each) => each.method === "notifications/progress")).toEqual([]);
      for (const progressToken of ["p-1", 7]) {
        client.notifications.length = 0;
        await client.result("tools/call", { ...params, _meta: { progressToken } });
        const seen = client.notifications.filter((each) => each.method === "notifications/progress");
        const hasMessage = revision >= "2025-03-26";
        expect(seen.map((each) => each.params)).toEqual([
          { progressToken, progress: 1, total: 2, ...(hasMessage && { message: "Step 1" }) },
          { progressToken, progress: 2, total: 2, ...(hasMessage && { message: "Step 2" }) },
        ]);
      }
    });

    test("a client receives log messages of its level and above", async () => {
      const levels = async (logLevel?: string): Promise<unknown[]> => {
        const client = await open({ revision, ...(logLevel === undefined ? {} : { logLevel }) });
        await client.call("countdown", { steps: 1 });
        return client.notifications
          .filter((each) => each.method === "notifications/message")
          .map((each) => [each.params?.["level"], each.params?.["data"], each.params?.["logger"]]);
      };
      const info = ["info", { step: 1 }, "countdown"];
      expect(await levels("debug")).toEqual([info, ["debug", "not for everyone", undefined]]);
      expect(await levels("error")).toEqual([]);
      // A modern client that names no level requests no messages. A legacy client leaves the choice to the server.
      expect(await levels()).toEqual(isModern ? [] : [info]);
    });

    test("a handler receives its client's cancellation, while others are served", async () => {
      const client = await open({ revision });
      const before = await countAborted(client);
      const sent = client.request("tools/call", { name: "wait" }, 4711);
      void client.request("tools/call", { name: "never" }, 4712);
      expect((await client.call("book", { city: "Oslo", days: 1 }))["isError"]).toBeUndefined();
      if (isModern && (transport === "http" || transport === "web")) {
        // There, a client cancels a request by disconnecting.
        await client.close();
      } else {
        client.notify("notifications/cancelled", { requestId: 4711, reason: "changed my mind" });
        client.notify("notifications/cancelled", { requestId: 4712 });
      }
      const watcher = client.isModern ? await open({ revision }) : client;
      await expect.poll(() => countAborted(watcher)).toBe(before + 1);
      const outcome = await Promise.race([sent.then(() => "answered"), Promise.resolve("silent")]);
      expect(outcome).toBe("silent");
    });
  });

  async function countAborted(client: {
    call(name: string): Promise<Record<string, unknown>>;
  }): Promise<number> {
    const { content } = (await client.call("aborted")) as { content: { text: string }[] };
    return Number(/\d+/.exec(content[0]?.text ?? "")?.[0]);
  }
});
