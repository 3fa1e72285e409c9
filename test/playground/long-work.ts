/** The source of a server whose tools do not come to an end, or not to a good one. */
export const LONG_WORK = `import { Tool, type Context } from "@tenon/runtime";

export class LongWork {
  static stopped = 0;

  /** Boils an egg, and never ends by itself. */
  @Tool({ readOnly: true })
  async boil(ctx: Context): Promise<string> {
    ctx.log("warning", { water: "hot" });
    ctx.log("error", "The timer is broken.");
    ctx.progress(1, 3, "boiling");
    await forever(ctx.signal);
    return "done";
  }

  /** Reports nothing but that it goes on. */
  @Tool({ readOnly: true })
  async stir(ctx: Context): Promise<string> {
    ctx.progress(7);
    await forever(ctx.signal);
    return "done";
  }

  /** How often work was stopped. */
  @Tool({ readOnly: true })
  stopped(): number {
    return LongWork.stopped;
  }

  /** Takes longer than it may. */
  @Tool({ readOnly: true, timeoutMs: 200 })
  async late(ctx: Context): Promise<string> {
    await forever(ctx.signal);
    return "done";
  }

  /** Asks, and does not wait for the answer. */
  @Tool({ readOnly: true, timeoutMs: 500 })
  async hurry(ctx: Context): Promise<string> {
    await ctx.elicit<{ name: string }>("Who is it?");
    return "done";
  }

  /** Says more than anybody reads. */
  @Tool({ readOnly: true })
  chatter(ctx: Context): string {
    for (let line = 1; line <= 10000; line += 1) ctx.log("info", \`line \${line}\`);
    return "said";
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
