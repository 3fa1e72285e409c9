import type { Call } from "../connection/call.js";
import { ToolError } from "../api/errors.js";
import { declares, missingCapability } from "./questions/capabilities.js";
import type { Forms } from "./questions/served-form.js";
import { type Effect, Effects } from "./once/once.js";
import { AnswerError, type Asker, type Question } from "./questions/question.js";

/** Asks while the handler waits: a request to the client on the stream of the request being handled. */
export class RequestAsker implements Asker {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #timeoutMs: number;
  readonly #effects = new Effects();

  constructor(call: Call, forms: Forms, timeoutMs: number) {
    this.forms = forms;
    this.#call = call;
    this.#timeoutMs = timeoutMs;
  }

  async ask<Answer>({ method, params, needs, read }: Question<Answer>): Promise<Answer> {
    const { session, peer, signal, client } = this.#call;
    if (!declares(client.capabilities, needs)) throw missingCapability(this.#call, needs);
    if (session.peer.endsWithAnswer || peer.acceptsEvents === false) {
      throw new ToolError(
        "The client cannot be asked anything: it opened no session, or accepts no event stream.",
      );
    }
    const answer = await session.requests.send(peer, method, params, signal, this.#timeoutMs);
    try {
      return read(answer);
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      throw new ToolError(`The client's answer to ${method} is not valid: ${error.message}`);
    }
  }

  once<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.once(key, effect);
  }
}
