import { type Context, Resource, Tool } from "@tenon/runtime";

/** Tools that access the store, and tools that do not. */
export class Shared {
  /** Adds two numbers. */
  @Tool({ readOnly: true })
  add(a: number, b: number): string {
    return String(a + b);
  }

  /** Adds two numbers several times. */
  @Tool({ readOnly: true, rateLimit: { calls: 1_000_000_000, windowMs: 60_000 } })
  limited(a: number, b: number): string {
    return String(a + b);
  }

  /** Reports progress three times. */
  @Tool({ readOnly: true })
  report(ctx: Context): string {
    for (let step = 1; step <= 3; step++) ctx.progress(step, 3);
    return "reported";
  }

  /** Runs a step, and asks a question. */
  @Tool()
  async confirm(ctx: Context): Promise<string> {
    const order = await ctx.step("order", () => "an order");
    const { action } = await ctx.elicit(`Confirm ${order}?`);
    return action;
  }

  /** Runs as a task. */
  @Tool({ task: "optional" })
  async job(): Promise<string> {
    await Promise.resolve();
    return "done";
  }

  /** The news of the day. */
  @Resource("news://today")
  today(): string {
    return "No news.";
  }

  /** Notifies the subscribers of news. */
  @Tool()
  announce(ctx: Context): string {
    ctx.notify.resourceUpdated("news://today");
    return "announced";
  }

  /** Writes log messages, so that a log level has an effect. */
  @Tool({ readOnly: true })
  chatter(ctx: Context): string {
    ctx.log("error", "heard");
    return "logged";
  }
}
