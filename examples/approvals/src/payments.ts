import { Tool, ToolError, type Context } from "@tenon/runtime";
import type { Bank } from "./bank.js";
import type { Purchase, Purchases } from "./purchases.js";

export class Payments {
  constructor(
    private readonly purchases: Purchases,
    private readonly bank: Bank,
  ) {}

  /**
   * Pays all that has been approved, once a person has seen the sum. It takes its time: clients that know tasks get one,
   * and find the question in it.
   */
  @Tool({ name: "pay_approved", destructive: true, openWorld: true, task: "optional" })
  async payApproved(ctx: Context): Promise<Purchase[]> {
    // The list is made once: what somebody approves meanwhile is not what the person has seen.
    const ids = await ctx.once("list", () => this.purchases.in("approved").map(({ id }) => id));
    const due = ids.flatMap((id) => this.purchases.find(id) ?? []);
    if (due.length === 0) throw new ToolError("Nothing is approved and not paid yet.");
    const sum = due.reduce((total, { euros }) => total + euros, 0);
    // A form without fields: to accept is to agree.
    const answer = await ctx.elicit(`Pay ${sum} € for ${due.map(({ item }) => item).join(", ")}?`);
    if (answer.action !== "accept") throw new ToolError("Nothing was paid.");
    for (const [index, { id, item, euros }] of due.entries()) {
      ctx.progress(index, due.length, `Paying ${item}`);
      await ctx.once(`pay-${id}`, async (key) => {
        await this.bank.pay(euros, key, ctx.signal);
        this.purchases.change(id, { state: "paid" });
        return true;
      });
    }
    ctx.progress(due.length, due.length, "Done");
    return due;
  }
}
