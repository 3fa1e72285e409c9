import { inspect } from "node:util";
import { type Context, type ExchangedToken, type ExchangeRequest, Tool, ToolError } from "@tenon/runtime";

/** Tools that call another API on behalf of their caller. */
export class Delegation {
  /** Resolves when tasks may continue. */
  gate: Promise<void> = Promise.resolve();
  /** The token that `describe` received. */
  received: ExchangedToken | undefined;

  /**
   * Calls the API, and returns its response.
   * @param url The URL of the API
   */
  @Tool({ readOnly: true, openWorld: true })
  async call(url: string, request: ExchangeRequest, ctx: Context): Promise<string> {
    const { authorization } = await ctx.exchange(request);
    const response = await fetch(url, { headers: { authorization } });
    return response.text();
  }

  /** Reports progress, and then calls the API. */
  @Tool({ readOnly: true, openWorld: true })
  async callLater(url: string, request: ExchangeRequest, ctx: Context): Promise<string> {
    ctx.progress(1, 2);
    await this.gate;
    return this.call(url, request, ctx);
  }

  /** Calls the API in a task. */
  @Tool({ readOnly: true, openWorld: true, task: "required" })
  async callInTask(url: string, request: ExchangeRequest, ctx: Context): Promise<string> {
    await this.gate;
    return this.call(url, request, ctx);
  }

  /** Asks the user, and then calls the API. */
  @Tool({ readOnly: true, openWorld: true })
  async callAsked(url: string, request: ExchangeRequest, ctx: Context): Promise<string> {
    await ctx.exchange(request);
    await ctx.ask("Call the API?", { schema: { type: "object", properties: {} } });
    return this.call(url, request, ctx);
  }

  /** Returns everything but the token. */
  @Tool({ readOnly: true, openWorld: true })
  async describe(request: ExchangeRequest, ctx: Context): Promise<string> {
    const token = await ctx.exchange(request);
    this.received = token;
    return JSON.stringify({ json: token, text: `${String(token)} ${inspect(token, { showHidden: true })}` });
  }

  /** Fails with an error that contains the token. */
  @Tool({ readOnly: true, openWorld: true })
  async leak(how: "error" | "cause" | "message", request: ExchangeRequest, ctx: Context): Promise<string> {
    const { accessToken } = await ctx.exchange(request);
    if (how === "error") throw new Error(`The API rejected ${accessToken}.`);
    if (how === "message") throw new ToolError(`The API rejected ${accessToken}.`);
    throw new ToolError("The API failed.", { cause: new Error(`It rejected ${accessToken}.`) });
  }

  /** Tries to store the token. */
  @Tool({ readOnly: true, openWorld: true })
  async store(request: ExchangeRequest, ctx: Context): Promise<string> {
    await ctx.step("token", () => ctx.exchange(request));
    return "stored";
  }
}
