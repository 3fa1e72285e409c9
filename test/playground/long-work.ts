/** The source of a server whose tools do not finish, or fail. */
export const LONG_WORK = `import { Tool, type Context } from "@tenon/runtime";

export class LongWork {
  static stopped = 0;

  /** Boils an egg until the call is cancelled. */
  @Tool({ readOnly: true })
  async boil(ctx: Context): Promise<string> {
    ctx.log("warning", { water: "hot" });
    ctx.log("error", "The timer is broken.");
    ctx.progress(1, 3, "boiling");
    await forever(ctx.signal);
    return "done";
  }

  /** Reports progress without a message. */
  @Tool({ readOnly: true })
  async stir(ctx: Context): Promise<string> {
    ctx.progress(7);
    await forever(ctx.signal);
    return "done";
  }

  /** Returns how many calls were stopped. */
  @Tool({ readOnly: true })
  stopped(): number {
    return LongWork.stopped;
  }

  /** Exceeds its timeout. */
  @Tool({ readOnly: true, timeoutMs: 200 })
  async late(ctx: Context): Promise<string> {
    await forever(ctx.signal);
    return "done";
  }

  /** Requests input, and times out before the answer. */
  @Tool({ readOnly: true, timeoutMs: 500 })
  async hurry(ctx: Context): Promise<string> {
    await ctx.ask<{ name: string }>("Who is it?");
    return "done";
  }

  /** Logs 10000 lines. */
  @Tool({ readOnly: true })
  chatter(ctx: Context): string {
    for (let line = 1; line <= 10000; line += 1) ctx.log("info", \`line \${line}\`);
    return "logged";
  }

  /** Ends the server. */
  @Tool({ readOnly: true })
  async crash(): Promise<string> {
    setTimeout(() => process.exit(3), 100);
    await new Promise(() => {});
    return "done";
  }
}

function forever(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => {
      LongWork.stopped += 1;
      reject(signal.reason as Error);
    });
  });
}
`;
