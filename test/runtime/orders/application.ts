import { type Context, type ElicitAnswer, type ServerConfig, Tool, ToolError } from "@tenon/runtime";
import type { JsonSchema, Manifest } from "@tenon/runtime/manifest";
import { allParts } from "@tenon/runtime/parts";
import type { Application, Validator } from "@tenon/runtime/server";

/** A system elsewhere, in which the effects of all servers happen. */
export class Shop {
  /** What was done, as `effect idempotencyKey`, as often as it was. */
  readonly done: string[] = [];
  /** What stands between the start of an effect and its end. */
  before: (effect: string) => Promise<void> = async () => {};

  /** Does an effect under the same key once, like any system that knows such keys. */
  async act(effect: string, idempotencyKey: string): Promise<string> {
    await this.before(effect);
    this.done.push(`${effect} ${idempotencyKey}`);
    const first = this.done.indexOf(`${effect} ${idempotencyKey}`);
    return `${effect} ${first + 1}`;
  }

  /** How often an effect was done. */
  count(effect: string): number {
    return this.done.filter((each) => each.startsWith(`${effect} `)).length;
  }
}

const FORM = "src/orders.ts#1";

function accepted<T>(answer: ElicitAnswer<T>): T {
  if (answer.action !== "accept") throw new ToolError(`The user chose to ${answer.action}.`);
  return answer.content;
}

const ask = async (ctx: Context, message: string): Promise<string> =>
  accepted(await ctx.elicit<{ name: string }>(message, {}, FORM)).name;

export class Orders {
  constructor(private readonly shop: Shop) {}

  /** Two questions and two effects, in turn. */
  @Tool()
  async order(ctx: Context): Promise<string> {
    const who = await ask(ctx, "Who?");
    const reserved = await ctx.once("reserve", (key) => this.shop.act("reserve", key));
    const where = await ask(ctx, "Where to?");
    const paid = await ctx.once("pay", (key) => this.shop.act("pay", key));
    return [who, reserved, where, paid].join(", ");
  }

  /** Asks again whoever refuses. */
  @Tool()
  async insists(ctx: Context): Promise<string> {
    try {
      return await ask(ctx, "Who?");
    } catch (error) {
      const who = await ask(ctx, "Who really?");
      return `${who} for ${ctx.principal?.subject} after: ${(error as Error).message}`;
    }
  }

  /** Says something before its question and after it. */
  @Tool()
  async chatty(ctx: Context): Promise<string> {
    ctx.log("debug", "before");
    const who = await ask(ctx, "Who?");
    ctx.log("debug", "after");
    return who;
  }

  /** Asks something else in each run. */
  @Tool()
  async capricious(ctx: Context): Promise<string> {
    const answer = await ctx.elicit(`Now ${performance.now()}?`, { key: "when" }, FORM);
    await ask(ctx, "Who?");
    return answer.action;
  }

  /** An effect in front of the question. */
  @Tool()
  async early(ctx: Context): Promise<string> {
    await ctx.once("first", (key) => this.shop.act("first", key));
    const who = await ask(ctx, "Who?");
    return `${who} ${await ctx.once("last", (key) => this.shop.act("last", key))}`;
  }

  /** What must not be done twice with the same answers. */
  @Tool()
  async transfer(ctx: Context): Promise<string> {
    await ctx.spendState();
    const who = await ask(ctx, "To whom?");
    try {
      await ctx.spendState();
    } catch {
      return "Nobody refused.";
    }
    const sent = await this.shop.act("send", "");
    return `${who} ${sent} ${await ask(ctx, "Receipt to whom?")}`;
  }
}

const empty: JsonSchema = { type: "object", properties: {}, additionalProperties: false };
const form: JsonSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

const TOOLS = ["order", "insists", "chatty", "capricious", "early", "transfer"];

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
    ...(name === "early" && { task: { support: "optional", start: "call" } as const }),
  })),
  prompts: [],
  resources: [],
  resourceTemplates: [],
  forms: { [FORM]: { requestedSchema: form, schema: form } },
};

const isEmpty: Validator = () => true;
const isName: Validator = (data) => typeof (data as { name?: unknown }).name === "string";

/** Tools with effects in a shop, as the compiler would hand them over. */
export function createOrdersFixture(shop: Shop, config: ServerConfig = {}): Application {
  return {
    manifest,
    parts: allParts,
    classes: { "src/orders.ts": { Orders: Orders as never } },
    validators: {
      tools: Object.fromEntries(TOOLS.map((name) => [name, { input: isEmpty }])),
      prompts: {},
      resourceTemplates: {},
      forms: { [FORM]: isName },
    },
    config: { provide: [new Orders(shop)], ...config },
  };
}
