import { beforeAll, describe, expect, test } from "vitest";
import { describeTransports, REVISIONS } from "../support/describe-transports.js";
import type { WireClient } from "../support/wire-client.js";
import { createFixture } from "./fixture/application.js";
import { SECRET, WAV } from "./fixture/src/handlers.js";

describeTransports(createFixture, (open) => {
  describe.each(REVISIONS)("at %s", (revision) => {
    let client: WireClient;
    beforeAll(async () => {
      client = await open({ revision });
    });

    const get = (args: Record<string, unknown>) =>
      client.request("prompts/get", { name: "plan", arguments: args });

    test("prompts are listed in the format of the revision", async () => {
      const { prompts } = (await client.result("prompts/list")) as { prompts: unknown[] };
      expect(prompts).toContainEqual({
        name: "plan",
        description: "The prompt plan.",
        ...(revision >= "2025-06-18" && { title: "Prompt plan" }),
        arguments: [{ name: "city", required: true }, { name: "mood", required: true }, { name: "days" }],
      });
    });

    test("a constant list may be cached", async () => {
      const { ttlMs, cacheScope } = await client.result("prompts/list");
      expect([ttlMs, cacheScope]).toEqual(client.isModern ? [60_000, "public"] : [undefined, undefined]);
    });

    test("text becomes a message of the user, with converted arguments", async () => {
      const { result } = await get({ city: "Oslo", mood: "calm", days: "2" });
      expect(result).toMatchObject({
        description: "The prompt plan.",
        messages: [{ role: "user", content: { type: "text", text: "Plan 2 calm days in Oslo." } }],
      });
    });

    test("an empty field counts as an absent argument", async () => {
      const { result } = await get({ city: "Oslo", mood: "calm", days: "" });
      expect(result).toMatchObject({ messages: [{ content: { text: "Plan 3 calm days in Oslo." } }] });
    });

    test("several messages are sent, as text if the revision lacks their kind of content", async () => {
      const result = await client.result("prompts/get", { name: "conversation" });
      expect(result).toMatchObject({
        description: "Two turns",
        messages: [
          { role: "user", content: { type: "text", text: "Look at this." } },
          {
            role: "assistant",
            content:
              revision >= "2025-03-26"
                ? { type: "audio", data: WAV, mimeType: "audio/wav" }
                : { type: "text", text: "[audio: audio/wav]" },
          },
        ],
      });
    });

    test("invalid arguments are rejected with all their problems", async () => {
      const { error } = await get({ citty: "Oslo", mood: "clam", days: "20" });
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain("missing argument `city`");
      expect(error?.message).toContain("unknown argument `citty`; did you mean `city`?");
      expect(error?.message).toContain('did you mean "calm"?');
      expect(error?.message).toContain("`days` must be at most 14 (got 20)");
    });

    test("a message that ends with a question has no period after it", async () => {
      const { error } = await get({ city: "Oslo", mood: "calm", dayz: "2" });
      expect(error?.message).toBe(
        'Invalid arguments for prompt "plan": unknown argument `dayz`; did you mean `days`?',
      );
    });

    test("unknown prompts are rejected", async () => {
      for (const name of ["plans", "constructor", 7, undefined]) {
        expect((await client.error("prompts/get", { name })).code).toBe(-32602);
      }
    });

    test("the client receives the handler's message if nothing matches the arguments", async () => {
      const { error } = await get({ city: "Atlantis", mood: "calm" });
      expect(error).toEqual({ code: -32602, message: "There is no Atlantis." });
    });

    test("an error of a handler is hidden from the client", async () => {
      const error = await client.error("prompts/get", { name: "broken" });
      expect(error).toEqual({
        code: -32603,
        message: expect.stringMatching(
          /^The prompt "broken" failed because of an internal error \(reference \w{8}\)\.$/,
        ) as string,
      });
      expect(JSON.stringify(error)).not.toContain(SECRET);
    });
  });
});
