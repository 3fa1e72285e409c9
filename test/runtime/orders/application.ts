import { type Context, type ElicitResult, type ServerConfig, Tool, ToolError } from "@tenon/runtime";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { allFeatures } from "@tenon/runtime/features";
import type { Application, Validator } from "@tenon/runtime/server";

/** An external system that executes the effects of all servers. */
export class Shop {
  /** Effects as `effect idempotencyKey`, one entry per execution. */
  readonly effects: string[] = [];
  /** Runs between the start of an effect and its end. */
  beforeEffect: (effect: string) => Promise<void> = async () => {};

  /** Executes an effect. With a key that it has received before, it returns the earlier result. */
  async act(effect: string, idempotencyKey: string): Promise<string> {
    await this.beforeEffect(effect);
    this.effects.push(`${effect} ${idempotencyKey}`);
    const first = this.effects.indexOf(`${effect} ${idempotencyKey}`);
    return `${effect} ${first + 1}`;
  }

  /** Counts the executions of an effect. */
  count(effect: string): number {
    return this.effects.filter((each) => each.startsWith(`${effect} `)).length;
  }
}

const FORM = "src/orders.ts#1";

function getContent<T>(answer: ElicitResult<T>): T {
  if (answer.action !== "accept") throw new ToolError(`The user chose to ${answer.action}.`);
  return answer.content;
}

const ask = async (ctx: Context, message: string): Promise<string> =>
  getContent(await ctx.elicit<{ name: string }>(message, {}, FORM)).name;

export class Orders {
  constructor(private readonly shop: Shop) {}

  /** Asks two questions, each followed by a step. */
  @Tool()
  async order(ctx: Context): Promise<string> {
    const who = await ask(ctx, "Who?");
    const reserved = await ctx.step("reserve", (key) => this.shop.act("reserve", key));
    const where = await ask(ctx, "Where to?");
    const paid = await ctx.step("pay", (key) => this.shop.act("pay", key));
    return [who, reserved, where, paid].join(", ");
  }

  /** Asks again if the first question is not answered. */
  @Tool()
  async asksAgain(ctx: Context): Promise<string> {
    try {
      return await ask(ctx, "Who?");
    } catch (error) {
      const who = await ask(ctx, "Who really?");
      return `${who} for ${ctx.principal?.subject} after: ${(error as Error).message}`;
    }
  }

  /** Logs a message before its question and one after it. */
  @Tool()
  async logs(ctx: Context): Promise<string> {
    ctx.log("debug", "before");
    const who = await ask(ctx, "Who?");
    ctx.log("debug", "after");
    return who;
  }

  /** Asks a different question in each run. */
  @Tool()
  async changesQuestion(ctx: Context): Promise<string> {
    const answer = await ctx.elicit(`Now ${performance.now()}?`, { key: "when" }, FORM);
    await ask(ctx, "Who?");
    return answer.action;
  }

  /** Asks a question without a key, which differs in every run. */
  @Tool()
  async rewordsQuestion(ctx: Context): Promise<string> {
    const answer = await ctx.elicit(`Now ${performance.now()}?`, {}, FORM);
    await ask(ctx, "Who?");
    return answer.action;
  }

  /** Runs a step before its question and one after it. */
  @Tool()
  async stepBeforeQuestion(ctx: Context): Promise<string> {
    await ctx.step("first", (key) => this.shop.act("first", key));
    const who = await ask(ctx, "Who?");
    return `${who} ${await ctx.step("last", (key) => this.shop.act("last", key))}`;
  }

  /** Runs a step while its question is open. */
  @Tool()
  async stepDuringQuestion(ctx: Context): Promise<string> {
    const reserved = ctx.step("reserve", (key) => this.shop.act("reserve", key));
    const who = await ask(ctx, "Who?");
    return `${who} ${await reserved}`;
  }

  /** Sends its user to a URL, with an elicitation ID that is unique to the call. */
  @Tool()
  async opensUrl(ctx: Context): Promise<string> {
    const { action } = await ctx.elicitUrl("Connect your calendar.", "https://example.com/connect");
    return action;
  }

  /** A transfer that must not run twice with the same responses. */
  @Tool()
  async transfer(ctx: Context): Promise<string> {
    await ctx.consumeRequestState();
    const who = await ask(ctx, "To whom?");
    try {
      await ctx.consumeRequestState();
    } catch {
      return "The second call was ignored.";
    }
    const sent = await this.shop.act("send", "");
    return `${who} ${sent} ${await ask(ctx, "Receipt to whom?")}`;
  }
}

const empty: JsonSchema = { type: "object", properties: {}, additionalProperties: false };
const form: JsonSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

const TOOLS = [
  "order",
  "asksAgain",
  "logs",
  "changesQuestion",
  "rewordsQuestion",
  "stepBeforeQuestion",
  "stepDuringQuestion",
  "opensUrl",
  "transfer",
];

const manifest: Manifest = {
  manifestVersion: 1,
  server: { name: "orders", version: "1.0.0" },
  tools: TOOLS.map((name) => ({
    definition: { name, description: `The tool ${name}.`, inputSchema: empty },
    handler: {
      module: "src/orders.ts",
      export: "Orders",
      method: name,
      parameters: [{ from: "context" }],
    },
    input: {},
    output: { kind: "text" },
    ...(name === "stepBeforeQuestion" && { task: { support: "optional", start: "call" } as const }),
  })),
  prompts: [],
  resources: [],
  resourceTemplates: [],
  forms: { [FORM]: { requestedSchema: form, schema: form } },
};

const isEmpty: Validator = () => true;
const isName: Validator = (data) => typeof (data as { name?: unknown }).name === "string";

/** Creates an application of tools with effects in a shop, like the compiler's output. */
export function createOrdersFixture(shop: Shop, config: ServerConfig = {}): Application {
  return {
    manifest,
    features: allFeatures,
    classes: { "src/orders.ts": { Orders: Orders as never } },
    validators: {
      tools: Object.fromEntries(TOOLS.map((name) => [name, { input: isEmpty }])),
      prompts: {},
      resourceTemplates: {},
      forms: { [FORM]: { input: isName } },
    },
    config: { provide: [new Orders(shop)], ...config },
  };
}
