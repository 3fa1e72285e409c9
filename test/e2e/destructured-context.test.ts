import { connect } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

/** Every function of the context, without the object that it belongs to. */
const SOURCE = `
  import { type Context, Resource, Tool } from "@tenon/runtime";

  export class Desk {
    /** Books a seat. */
    @Tool()
    async book({ ask, elicit, step, progress, log, roots, sample, header, closeStream, onRootsChanged }: Context): Promise<string> {
      progress(1, 2, "Asking");
      const { name } = await ask<{ name: string }>("Who?");
      const seat = await elicit<{ seat: number }>("Which seat?");
      const number = await step("number", () => 7);
      const [root] = await roots();
      const { content } = await sample({ messages: [], maxTokens: 5 });
      const remove = onRootsChanged(() => undefined);
      remove();
      closeStream();
      log("info", "Booked");
      return JSON.stringify([name, seat.action, number, root?.uri, content, header("x-desk") ?? null]);
    }

    /** The address of a form. */
    @Tool()
    async pay({ elicitUrl, startTask }: Context): Promise<string> {
      startTask();
      const { action } = await elicitUrl("Pay here", "https://example.com/pay");
      return action;
    }

    /** The tenant. */
    @Resource("desk://tenant")
    tenant({ header }: Context): string {
      return header("x-tenant") ?? "none";
    }
  }
`;

let built: BuiltServer;
beforeAll(async () => {
  built = await buildServer({ "src/desk.ts": SOURCE });
});
afterAll(() => built.remove());

describe.each(["2025-11-25", "2026-07-28"])("a handler at %s", (revision) => {
  it("may take functions out of its context", async () => {
    const progress: unknown[] = [];
    const client = await connect(await built.load(), {
      revision,
      answers: {
        elicit: ({ message }) => ({
          action: "accept",
          content: message === "Who?" ? { name: "Ada" } : { seat: 3 },
        }),
        roots: [{ uri: "file:///work" }],
        sample: () => ({ role: "assistant", model: "m", content: { type: "text", text: "Yes" } }),
      },
    });
    const booked = await client.callTool("book", {}, { onProgress: (each) => progress.push(each) });
    const [text] = booked.content as { text: string }[];
    expect(JSON.parse(text?.text ?? "")).toEqual([
      "Ada",
      "accept",
      7,
      "file:///work",
      { type: "text", text: "Yes" },
      null,
    ]);
    expect(progress).toContainEqual(expect.objectContaining({ progress: 1, total: 2 }));
    expect(await client.callTool("pay")).toMatchObject({ content: [{ text: "accept" }] });
    expect(await client.readResource("desk://tenant")).toMatchObject({ contents: [{ text: "none" }] });
  });
});
