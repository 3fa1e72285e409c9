import {
  type Context,
  type ElicitResult,
  Prompt,
  Resource,
  Tool,
  ToolError,
  UrlElicitationRequiredError,
} from "@tenon/runtime";

export interface Traveler {
  name: string;
  born?: Date;
  seats: number;
  meal?: "any" | "vegan";
  extras?: Set<"wifi" | "lounge">;
}

const NAME = "src/handlers.ts#1";
const TRAVELER = "src/handlers.ts#2";
const GUESS = "src/handlers.ts#3";

/** The compiler adds the last argument of `elicit` to real sources. */
const askName = (ctx: Context, message: string, key?: string): Promise<ElicitResult<{ name: string }>> =>
  ctx.elicit<{ name: string }>(message, key === undefined ? {} : { key }, NAME);

function getContent<T>(answer: ElicitResult<T>): T {
  if (answer.action !== "accept") throw new ToolError(`The user chose to ${answer.action}.`);
  return answer.content;
}

const question = (text: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text } }],
  maxTokens: 100,
});

export class Tools {
  #effects = 0;
  #questions = 0;
  #aborted: unknown[] = [];

  @Tool()
  async greet(ctx: Context): Promise<string> {
    return `Hello, ${getContent(await askName(ctx, "What is your name?", "user_name")).name}!`;
  }

  @Tool()
  async book(city: string, ctx: Context): Promise<string> {
    const traveler = getContent(await ctx.elicit<Traveler>(`Who travels to ${city}?`, {}, TRAVELER));
    const { name, born, seats, meal, extras } = traveler;
    return [city, name, born?.getUTCFullYear(), seats + 1, meal, [...(extras ?? [])].join("+")].join(" ");
  }

  @Tool()
  async welcome(ctx: Context): Promise<string> {
    const { name } = await ctx.ask<{ name: string }>("Who is it?", {}, NAME);
    await ctx.ask(`Let ${name} in?`, { declined: `${name} stays outside.` }, "src/handlers.ts#4");
    return `Welcome, ${name}!`;
  }

  @Tool()
  async sequence(ctx: Context): Promise<string> {
    const first = getContent(await askName(ctx, "First name?", "step1"));
    const second = getContent(await askName(ctx, `Last name, ${first.name}?`, "step2"));
    return `${first.name} ${second.name}`;
  }

  @Tool()
  async guess(secret: number, ctx: Context): Promise<string> {
    for (let round = 1; ; round++) {
      const { guess } = getContent(await ctx.elicit<{ guess: number }>("Your guess?", {}, GUESS));
      if (guess === secret) return `Right after ${round}.`;
    }
  }

  @Tool()
  async parallel(ctx: Context): Promise<string> {
    const twice = async (who: string): Promise<string> => {
      const first = getContent(await askName(ctx, `${who}: first?`));
      return `${first.name} ${getContent(await askName(ctx, `${who}: last?`)).name}`;
    };
    const [one, other, sampled, roots] = await Promise.all([
      twice("One"),
      twice("Other"),
      ctx.sample(question("Greet them.")),
      ctx.roots(),
    ]);
    return [one, other, (sampled.content as { text: string }).text, roots[0]?.uri].join(", ");
  }

  @Tool()
  async charge(ctx: Context): Promise<string> {
    const receipt = await ctx.step("charge", () => ({ number: ++this.#effects }));
    const nothing = await ctx.step("nothing", () => void this.#effects++);
    const { name } = getContent(await askName(ctx, `Receipt ${receipt.number} to whom?`));
    await ctx.step("print", async () => {
      await Promise.resolve();
      this.#effects++;
    });
    return `Receipt ${receipt.number} ${String(nothing)} for ${name}, ${this.#effects} effects.`;
  }

  @Tool()
  async slowEffect(ctx: Context): Promise<string> {
    const before = this.#effects;
    const slow = ctx.step("slow", async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      this.#effects++;
      return this.#effects;
    });
    const [answer, count] = await Promise.all([askName(ctx, "Name?"), slow]);
    return `${getContent(answer).name} ${count - before <= 1}`;
  }

  /** Asks in a step, which the author may not notice, since helper functions ask as well. */
  @Tool()
  async askInStep(ctx: Context): Promise<string> {
    const ask = async (request: () => Promise<unknown>): Promise<string> => {
      await Promise.resolve();
      return request().then(String, (error: unknown) => (error as Error).message);
    };
    const requests = [
      () => askName(ctx, "Name?"),
      () => ctx.sample(question("Greet them.")),
      () => ctx.roots(),
    ];
    const errors = await ctx.step("outer", () =>
      ctx.step("inner", () => Promise.all(requests.map((request) => ask(request)))),
    );
    const { name } = getContent(await askName(ctx, "Name?"));
    return [...new Set(errors), name].join("\n");
  }

  @Tool()
  async capricious(ctx: Context): Promise<string> {
    return getContent(await askName(ctx, `Question ${++this.#questions}?`)).name;
  }

  @Tool()
  async capriciousKey(ctx: Context): Promise<string> {
    return getContent(await askName(ctx, `Question ${++this.#questions}?`, "same")).name;
  }

  @Tool()
  async capital(withTools: boolean, ctx: Context): Promise<string> {
    const { content } = await ctx.sample({
      // Questions may contain text from anywhere, and clients display them, so control characters are removed.
      ...question("What is the \u001B[31mcapital\u001B[0m of France?"),
      systemPrompt: "Be \u202Ebrief.",
      ...(withTools && {
        tools: [{ name: "atlas", inputSchema: { type: "object" } }],
        toolChoice: { mode: "auto" as const },
      }),
    });
    const [block] = [content].flat();
    return block?.type === "text" ? block.text : JSON.stringify(block);
  }

  @Tool()
  async where(ctx: Context): Promise<string> {
    const roots = await ctx.roots({ key: "client_roots" });
    return roots.map(({ uri, name }) => `${name}=${uri}`).join(",");
  }

  /** Waits until the roots have changed this many times, and returns the roots after each change. */
  @Tool()
  async watchRoots(times: number, ctx: Context): Promise<string> {
    const seen: string[] = [];
    return new Promise((resolve) => {
      ctx.onRootsChanged(() => {
        throw new Error("A listener that fails.");
      });
      const stop = ctx.onRootsChanged(async () => {
        seen.push((await ctx.roots()).map(({ uri }) => uri).join());
        if (seen.length < times) return;
        stop();
        resolve(seen.join(" "));
      });
      ctx.log("info", "watching");
    });
  }

  @Tool()
  async connect(ctx: Context): Promise<string> {
    const asked = await ctx.elicitUrl("Connect your calendar.", new URL("https://example.com/connect"));
    asked.complete();
    return asked.action;
  }

  @Tool()
  async connectLater(id: string, ctx: Context): Promise<string> {
    const asked = await ctx.elicitUrl("Connect.", "https://example.com/connect", id === "" ? {} : { id });
    return `${asked.action} ${asked.id}`;
  }

  @Tool()
  async visit(url: string, ctx: Context): Promise<string> {
    try {
      return (await ctx.elicitUrl("Please visit.", url)).action;
    } catch (error) {
      return String(error);
    }
  }

  @Tool()
  visitFirst(url: string): string {
    try {
      throw new UrlElicitationRequiredError([{ message: "Please visit.", url }]);
    } catch (error) {
      if (error instanceof TypeError) return String(error);
      throw error;
    }
  }

  @Tool()
  calendar(ctx: Context): string {
    if (!ctx.revision) throw new Error("No revision.");
    throw new UrlElicitationRequiredError([
      { message: "Connect \u001B[1myour calendar.", url: "https://example.com/connect", id: "calendar" },
    ]);
  }

  @Tool()
  async confirm(ctx: Context): Promise<string> {
    return (await ctx.elicit("Go on?", {}, "src/handlers.ts#4")).action;
  }

  @Tool()
  async raw(ctx: Context): Promise<string> {
    const schema = {
      type: "object" as const,
      properties: { color: { type: "string" as const, enum: ["red", "green"], enumNames: ["Red", "Green"] } },
      required: ["color"],
    };
    return getContent(await ctx.elicit<{ color: string }>("Color?", { schema })).color;
  }

  @Tool()
  async formless(ctx: Context): Promise<string> {
    return (await ctx.elicit<{ name: string }>("Name?")).action;
  }

  @Tool()
  async stubborn(ctx: Context): Promise<string> {
    try {
      return getContent(await askName(ctx, "Name?", "name")).name;
    } catch {
      return "Stranger";
    }
  }

  @Tool()
  async aborts(ctx: Context): Promise<string> {
    ctx.signal.addEventListener("abort", () => this.#aborted.push((ctx.signal.reason as Error).name));
    return getContent(await askName(ctx, "Name?")).name;
  }

  @Tool()
  aborted(): string {
    return this.#aborted.join(",");
  }

  @Tool()
  plain(): string {
    return "Nothing asked.";
  }
}

export class Others {
  @Prompt()
  async plan(city: string, ctx: Context): Promise<string> {
    return `Plan a trip to ${city} for ${getContent(await askName(ctx, "Who?", "who")).name}.`;
  }

  @Resource("diary://{owner}", { cache: { ttlMs: 60_000, cacheScope: "public" } })
  async diary(owner: string, ctx: Context): Promise<string> {
    return `${owner}: ${getContent(await askName(ctx, "Password?", "password")).name}`;
  }
}
