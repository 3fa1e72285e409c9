import { NotFoundError, Tool, type Context } from "@tenon/runtime";
import { Budget, type Purchase, type Purchases } from "./purchases.js";

/** The form that a person is shown. */
interface Decision {
  /** Approve it? */
  approve: boolean;
  /** Who pays? */
  budget: Budget;
  /** Anything to say about it? @maxLength 200 */
  note?: string;
}

/** What is asked in addition where it is much. */
interface Reason {
  /** Why is it worth that? @minLength 5 @maxLength 200 */
  reason: string;
}

const MUCH = 1000;

export class Approvals {
  constructor(private readonly purchases: Purchases) {}

  /**
   * Requests a purchase, and asks the person at the client to decide on it.
   * @param item What to buy @minLength 3 @maxLength 200
   * @param euros What it costs @exclusiveMinimum 0 @maximum 100000
   */
  @Tool({ name: "request_purchase", destructive: false, openWorld: false })
  async request(item: string, euros: number, ctx: Context): Promise<Purchase> {
    // Clients of 2026-07-28 have this run again with each answer: what must happen once, happens in `once`.
    const id = await ctx.once("request", () => this.purchases.add(item, euros));
    const answer = await ctx.elicit<Decision>(`Buy ${item} for ${euros} €?`);
    // Who closes the form has not decided: it stays requested.
    if (answer.action === "cancel") return this.#purchase(id);
    if (answer.action === "decline" || !answer.content.approve) {
      return this.purchases.change(id, { state: "rejected" });
    }
    const { budget, note } = answer.content;
    const reason =
      euros > MUCH
        ? await ctx.elicit<Reason>(`That is more than ${MUCH} €. Why is it worth that?`)
        : undefined;
    if (reason && reason.action !== "accept") return this.#purchase(id);
    const said = [note, reason?.content.reason].filter((each) => each !== undefined).join(" ");
    return this.purchases.change(id, { state: "approved", budget, ...(said && { note: said }) });
  }

  /**
   * Lists purchases.
   * @param state Those that are in this state
   */
  @Tool({ name: "list_purchases", readOnly: true, openWorld: false })
  list(state: Purchase["state"] = "requested"): Purchase[] {
    return this.purchases.in(state);
  }

  /**
   * Has the client's own model write what speaks for a purchase and what against it.
   * @param id The number of the purchase
   */
  @Tool({ name: "weigh_purchase", readOnly: true, openWorld: false })
  async weigh(id: number, ctx: Context): Promise<string> {
    const { item, euros } = this.#purchase(id);
    const { content } = await ctx.sample({
      systemPrompt:
        "You advise a small company. Answer in two sentences: what speaks for it, and what against it.",
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
      throw new NotFoundError(`There is no purchase ${id}. List purchases to see their numbers.`);
    return purchase;
  }
}
