import { NotFoundError, Tool, type Context } from "@tenon/runtime";
import { Budget, type Purchase, type Purchases } from "./purchases.js";

/** The form that the user fills in. */
interface Decision {
  /** Approve it? */
  approve: boolean;
  /** Which budget pays for it? */
  budget: Budget;
  /** Anything to say about it? @maxLength 200 */
  note?: string;
}

/** An additional question for large amounts. */
interface Reason {
  /** Why is it worth that? @minLength 5 @maxLength 200 */
  reason: string;
}

const MAX_EUROS_WITHOUT_REASON = 1000;

export class Approvals {
  constructor(private readonly purchases: Purchases) {}

  /**
   * Requests a purchase, and asks the user to decide on it.
   * @param item Item to buy @minLength 3 @maxLength 200
   * @param euros Price in euros @exclusiveMinimum 0 @maximum 100000
   */
  @Tool({ name: "request_purchase", destructive: false, openWorld: false })
  async request(item: string, euros: number, ctx: Context): Promise<Purchase> {
    // For clients of 2026-07-28, this runs again with each answer. Effects that must not be repeated are in `step`.
    const id = await ctx.step("request", () => this.purchases.add(item, euros));
    const answer = await ctx.elicit<Decision>(`Buy ${item} for ${euros} €?`);
    // If the user closes the form, the purchase stays requested.
    if (answer.action === "cancel") return this.#purchase(id);
    if (answer.action === "decline" || !answer.content.approve) {
      return this.purchases.change(id, { state: "rejected" });
    }
    const { budget, note } = answer.content;
    const reason =
      euros > MAX_EUROS_WITHOUT_REASON
        ? await ctx.elicit<Reason>(`That is more than ${MAX_EUROS_WITHOUT_REASON} €. Why is it worth that?`)
        : undefined;
    if (reason && reason.action !== "accept") return this.#purchase(id);
    const reasons = [note, reason?.content.reason].filter((each) => each !== undefined).join(" ");
    return this.purchases.change(id, { state: "approved", budget, ...(reasons && { note: reasons }) });
  }

  /**
   * Lists purchases.
   * @param state Lists only purchases in this state
   */
  @Tool({ name: "list_purchases", readOnly: true, openWorld: false })
  list(state: Purchase["state"] = "requested"): Purchase[] {
    return this.purchases.in(state);
  }

  /**
   * Asks the client's model for arguments for and against a purchase.
   * @param id The number of the purchase
   */
  @Tool({ name: "weigh_purchase", readOnly: true, openWorld: false })
  async weigh(id: number, ctx: Context): Promise<string> {
    const { item, euros } = this.#purchase(id);
    const { content } = await ctx.sample({
      systemPrompt:
        "You advise a small company. Answer in two sentences: one argument for the purchase, and one against it.",
      messages: [{ role: "user", content: { type: "text", text: `Should we buy ${item} for ${euros} €?` } }],
      maxTokens: 200,
    });
    return [content]
      .flat()
      .flatMap((block) => (block.type === "text" ? block.text : []))
      .join("\n");
  }

  #purchase(id: number): Purchase {
    const purchase = this.purchases.find(id);
    if (!purchase)
      throw new NotFoundError(
        `There is no purchase ${id}. Use list_purchases to see the numbers of the purchases.`,
      );
    return purchase;
  }
}
