import { setTimeout } from "node:timers/promises";
import { NotFoundError, Resource, Tool, ToolError, type Context } from "@tenon/runtime";
import type { Sales } from "./sales.js";

export interface Booking {
  play: string;
  seats: number;
  /** The reference for collecting the tickets. */
  reference: string;
}

export class BoxOffice {
  constructor(private readonly sales: Sales) {}

  /** Returns the number of seats that are left for a play. */
  @Tool({ readOnly: true, openWorld: false })
  async seats(play: string): Promise<{ left: number }> {
    return { left: await this.left(play) };
  }

  /** Books seats. The server asks the user for the number. */
  @Tool({ destructive: false, openWorld: false, rateLimit: { calls: 10, windowMs: 60_000 } })
  async book(play: string, ctx: Context): Promise<Booking> {
    const left = await this.left(play);
    // If this replica ends before the user answers, another one runs this again from the beginning, with the answer.
    const { seats } = await ctx.ask<{
      /** Number of seats @minimum 1 @maximum 8 @default 2 */
      seats: number;
    }>(`${left} seats are left for ${play}.`, { declined: "Nothing was booked." });
    const booking = await ctx.step("sale", async (idempotencyKey) => {
      if (!(await this.sales.sell(play, seats, idempotencyKey)))
        throw new ToolError("Not enough seats are left.");
      return { play, seats, reference: idempotencyKey.slice(0, 8) };
    });
    ctx.notify.resourceUpdated(`play://${play}`);
    return booking;
  }

  /**
   * Prints tickets, as a task if the client supports tasks.
   * @param seconds Duration of printing @minimum 0 @maximum 60
   */
  @Tool({ destructive: false, openWorld: false, task: "optional" })
  async print(reference: string, ctx: Context, seconds = 3): Promise<string> {
    for (let page = 1; page <= seconds; page++) {
      await setTimeout(1000, undefined, { signal: ctx.signal });
      ctx.progress(page, seconds, `page ${page}`);
    }
    return `The tickets of ${reference} are printed.`;
  }

  /** A play, and the number of seats that are left. */
  @Resource("play://{play}")
  async play(play: string): Promise<{ play: string; left: number }> {
    return { play, left: await this.left(play) };
  }

  private async left(play: string): Promise<number> {
    const left = await this.sales.seatsLeft(play);
    if (left === undefined)
      throw new NotFoundError(`There is no play "${play}". The plays are hamlet, macbeth, and tempest.`);
    return left;
  }
}
