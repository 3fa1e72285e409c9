import { type Context, ProtocolError, Tool, ToolError } from "@tenon/runtime";

const FORM = "src/handlers.ts#1";

async function askName(ctx: Context, message: string, key: string): Promise<string> {
  const answer = await ctx.elicit<{ name: string }>(message, { key }, FORM);
  if (answer.action !== "accept") throw new ToolError(`The user chose to ${answer.action}.`);
  return answer.content.name;
}

/** Runs of a handler that a test observes, in whichever process they happen. */
export interface Diary {
  /** A line for each event, with the process and its action. */
  readonly lines: string[];
  /** Waits for the event before which a run does not end. */
  wait(by: string, signal: AbortSignal): Promise<void>;
}

export class Jobs {
  readonly #name: string;
  readonly #diary: Diary;
  #stopped = 0;
  #effects = 0;
  readonly #ends: string[] = [];

  constructor(name = "", diary: Diary = { lines: [], wait: async () => {} }) {
    this.#name = name;
    this.#diary = diary;
  }

  /** Runs a step before and after its question, and returns which process ran each. */
  @Tool()
  async journey(to: string, ctx: Context): Promise<string> {
    const note = (what: string): void => void this.#diary.lines.push(`${this.#name}: ${what}`);
    note(`run for ${ctx.principal?.subject ?? "nobody"}`);
    const ticket = await ctx.step("ticket", (key) => {
      note(`ticket ${key}`);
      return `${this.#name}'s ticket`;
    });
    const who = await askName(ctx, `Who goes to ${to}?`, "who");
    await this.#diary.wait(this.#name, ctx.signal);
    const seat = await ctx.step("seat", (key) => {
      note(`seat ${key}`);
      return `${this.#name}'s seat`;
    });
    note("end");
    return `${who} goes to ${to} with ${ticket} on ${seat}.`;
  }

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
    await ctx.step("effect", () => void this.#effects++);
    return `Confirmed by ${await askName(ctx, "Who?", "who")} after ${this.#effects}.`;
  }

  /** Reports a thousand pages, and asks a question. */
  @Tool()
  async pages(ctx: Context): Promise<string> {
    for (let page = 1; page <= 1000; page++) ctx.progress(page, 1000, `Page\u0007 ${page}`);
    ctx.progress(1, 1000, "Page 1 once more");
    return askName(ctx, "Who?", "who");
  }

  @Tool()
  async two(ctx: Context): Promise<string> {
    return (await Promise.all([askName(ctx, "One?", "one"), askName(ctx, "Two?", "two")])).join(" and ");
  }

  @Tool()
  async later(ctx: Context): Promise<string> {
    const name = await askName(ctx, "Who?", "user_name");
    const before = await ctx.step("count", () => ++this.#effects);
    ctx.startTask();
    const after = await ctx.step("count", () => ++this.#effects);
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
