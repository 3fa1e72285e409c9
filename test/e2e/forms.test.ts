import { connect, type Elicitation } from "@tenon/runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildServer, type BuiltServer } from "../support/built-server.js";

/** Source as an editor on Windows may save it: a byte order mark, CR LF, and non-ASCII text before the calls. */
const SOURCE = `\uFEFFimport { Tool, ToolError, type Context } from "@tenon/runtime";

const here = "café 🙂 " + import.meta.url.slice(0, 5);

enum Seat {
  /** By the window */
  Window = "window",
  /** By the aisle */
  Aisle = "aisle",
}

interface Traveler { name: string; born?: Date; /** @default "window" */ seat?: Seat }

export class Trips {
  /** Book a trip. */
  @Tool()
  async book(city: string, ctx: Context): Promise<string> {
    const nickname = await ctx.elicit<{ nickname?: string }>("Nickname?", { key: "nick" }); const who = await ctx.elicit<Traveler>(
      \`Who travels to \${city}?\`,
    );
    if (who.action !== "accept" || nickname.action !== "accept") throw new ToolError("Nobody.");
    const { name, born, seat } = who.content;
    await ctx.ask("Sure?");
    const chosen: { pet?: "cat" | "dog" } = await ctx.ask("Pet?");
    if (chosen.pet) throw new ToolError("No pets.");
    return [here, city, nickname.content.nickname, name, born?.getUTCFullYear(), seat].join(" ");
  }
}
`.replaceAll("\n", "\r\n");

describe("a built server that elicits", () => {
  let built: BuiltServer;
  beforeAll(async () => {
    built = await buildServer({ "src/trips.ts": SOURCE });
  });
  afterAll(() => built.remove());

  test.each(["2025-11-25", "2026-07-28"])(
    "uses the elicitation form of each call, at %s",
    async (revision) => {
      const asked: Elicitation[] = [];
      const client = await connect(await built.load(), {
        revision,
        answers: {
          elicit: (elicitation) => {
            asked.push(elicitation);
            const isWho = elicitation.requestedSchema?.properties?.["name"] !== undefined;
            return {
              action: "accept",
              content: isWho
                ? { name: "Ada", born: "1815-12-10T00:00:00Z" }
                : elicitation.message === "Nickname?"
                  ? { nickname: "A" }
                  : {},
            };
          },
        },
      });
      const result = await client.callTool("book", { city: "Oslo" });
      expect(result.content).toEqual([{ type: "text", text: "café 🙂 file: Oslo A Ada 1815 window" }]);
      expect(asked.map(({ requestedSchema }) => requestedSchema)).toEqual([
        { type: "object", properties: { nickname: { type: "string" } } },
        {
          type: "object",
          properties: {
            name: { type: "string" },
            born: { type: "string", format: "date-time" },
            seat: {
              type: "string",
              default: "window",
              oneOf: [
                { const: "window", title: "By the window" },
                { const: "aisle", title: "By the aisle" },
              ],
            },
          },
          required: ["name"],
        },
        { type: "object", properties: {} },
        { type: "object", properties: { pet: { type: "string", enum: ["cat", "dog"] } } },
      ]);
      client.close();
    },
  );
});
