import { type Context, ProtocolError, Tool, ToolError } from "@tenon/runtime";

const FORM = "src/handlers.ts#1";

async function askName(ctx: Context, message: string, key: string): Promise<string> {
  const answer = await ctx.elicit<{ name: string }>(message, { key }, FORM);
  if (answer.action !== "accept") throw new ToolError(`The user chose to ${answer.action}.`);
  return answer.content.name;
}

export class Jobs {
  #stopped = 0;
  #effects = 0;
  readonly #ends: string[] = [];

  @Tool()
  greet(name: string): string {
    return `Hello, ${name}!`;
  }

  @Tool()
  async compute(ms: number, signal: AbortSignal): Promise<string> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", () => {
        this.#stopped++;
        clearTimeout(timer);
        resolve();
      });
    });
    return `Computed for ${ms} ms.`;
  }

  @Tool()
  stopped(): string {
    return String(this.#stopped);
  }

  @Tool()
  async echo(text: string, times = 1): Promise<string> {
    await Promise.resolve();
    return text.repeat(times);
  }

  @Tool()
  async fail(): Promise<string> {
    await Promise.resolve();
    throw new ToolError("Out of paper.");
  }

  @Tool()
  async crash(how: "protocol" | "error"): Promise<string> {
    await Promise.resolve();
    throw how === "protocol"
      ? new ProtocolError(-32603, "No connection.", { retry: true })
      : new Error("secret");
  }

  @Tool()
  async confirm(ctx: Context): Promise<string> {
    await ctx.once("effect", () => void this.#effects++);
    return `Confirmed by ${await askName(ctx, "Who?", "who")} after ${this.#effects}.`;
  }

  @Tool()
  async two(ctx: Context): Promise<string> {
    return (await Promise.all([askName(ctx, "One?", "one"), askName(ctx, "Two?", "two")])).join(" and ");
  }

  @Tool()
  async later(ctx: Context): Promise<string> {
    const name = await askName(ctx, "Who?", "user_name");
    const before = await ctx.once("count", () => ++this.#effects);
    ctx.startTask();
    const after = await ctx.once("count", () => ++this.#effects);
    const other = await askName(ctx, "Who else?", "other");
    return `For ${name} and ${other}: ${after - before}.`;
  }

  @Tool()
  async hasty(ctx: Context): Promise<string> {
    const name = askName(ctx, "Who?", "user_name");
    ctx.startTask();
    return await name;
  }

  @Tool()
  async tidy(ctx: Context): Promise<string> {
    try {
      return await askName(ctx, "Who?", "who");
    } catch (error) {
      this.#ends.push((error as Error).name);
      throw error;
    }
  }

  @Tool()
  ends(): string {
    return this.#ends.join(",");
  }

  @Tool()
  async roots(ctx: Context): Promise<string> {
    return String((await ctx.roots()).length);
  }
}
