import { setTimeout } from "node:timers/promises";
import { NotFoundError, Resource, Tool, ToolError, type Context } from "@tenon/runtime";
import type { Sales } from "./sales.js";

export interface Booking {
  play: string;
  seats: number;
  /** Where the tickets wait. */
  reference: string;
}

export class BoxOffice {
  constructor(private readonly sales: Sales) {}

  /** How many seats of a play are left. */
  @Tool({ readOnly: true })
  async seats(play: string): Promise<{ left: number }> {
    return { left: await this.left(play) };
  }

  /** Book seats. How many, the server asks. */
  @Tool({ destructive: false, rateLimit: { calls: 10, windowMs: 60_000 } })
  async book(play: string, ctx: Context): Promise<Booking> {
    const left = await this.left(play);
    // The replica that asks may be gone when the answer comes. Then another runs this from its beginning, with the answer.
    const answer = await ctx.elicit<{
      /** How many seats @minimum 1 @maximum 8 @default 2 */
      seats: number;
    }>(`${left} seats are left for ${play}.`);
    if (answer.action !== "accept") throw new ToolError("Nothing was booked.");
    const { seats } = answer.content;
    const booking = await ctx.once("sale", async (idempotencyKey) => {
      if (!(await this.sales.sell(play, seats, idempotencyKey)))
        throw new ToolError("Too few seats are left.");
      return { play, seats, reference: idempotencyKey.slice(0, 8) };
    });
    ctx.notify.resourceUpdated(`play://${play}`);
    return booking;
  }

  /**
   * Print tickets, which takes a while: as a task, where the client has those.
   * @param seconds How long the printer takes @minimum 0 @maximum 60
   */
  @Tool({ destructive: false, task: "optional" })
  async print(reference: string, ctx: Context, seconds = 3): Promise<string> {
    for (let page = 1; page <= seconds; page++) {
      await setTimeout(1000, undefined, { signal: ctx.signal });
      ctx.progress(page, seconds, `page ${page}`);
    }
    return `The tickets of ${reference} are printed.`;
  }

  /** A play, and how many of its seats are left. */
  @Resource("play://{play}")
  async play(play: string): Promise<{ play: string; left: number }> {
    return { play, left: await this.left(play) };
  }

  private async left(play: string): Promise<number> {
    const left = await this.sales.seatsLeft(play);
    if (left === undefined) throw new NotFoundError(`There is no play "${play}": hamlet, macbeth, tempest.`);
    return left;
  }
}
