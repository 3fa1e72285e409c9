import { Tool, ToolError, type Context } from "@tenon/runtime";
import type { Bank } from "./bank.js";
import type { Purchase, Purchases } from "./purchases.js";

export class Payments {
  constructor(
    private readonly purchases: Purchases,
    private readonly bank: Bank,
  ) {}

  /**
   * Pays all approved purchases after the user confirms the sum. Clients that support tasks receive a task, which contains
   * the question.
   */
  @Tool({ name: "pay_approved", destructive: true, openWorld: true, task: "optional" })
  async payApproved(ctx: Context): Promise<Purchase[]> {
    // The list is created once, so that the user does not pay purchases that are approved later.
    const ids = await ctx.step("list", () => this.purchases.in("approved").map(({ id }) => id));
    const due = ids.flatMap((id) => this.purchases.find(id) ?? []);
    if (due.length === 0) throw new ToolError("There are no approved purchases to pay.");
    const sum = due.reduce((total, { euros }) => total + euros, 0);
    // The form has no fields: accepting it is the confirmation.
    await ctx.ask(`Pay ${sum} € for ${due.map(({ item }) => item).join(", ")}?`, {
      declined: "Nothing was paid.",
    });
    for (const [index, { id, item, euros }] of due.entries()) {
      ctx.progress(index, due.length, `Paying ${item}`);
      await ctx.step(`pay-${id}`, async (key) => {
        await this.bank.pay(euros, key, ctx.signal);
        this.purchases.change(id, { state: "paid" });
        return true;
      });
    }
    ctx.progress(due.length, due.length, "Done");
    return due;
  }
}
