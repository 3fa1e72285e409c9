import type { Call } from "../connection/call.js";
import { ToolError } from "../../api/errors.js";
import { hasCapabilities, createMissingCapabilityError } from "../questions/capabilities.js";
import type { Forms } from "../questions/served-form.js";
import { type Effect, Effects } from "../steps/effects.js";
import {
  createCallEndedError,
  type InputRequester,
  type Question,
  readResponse,
} from "../questions/question.js";

/** Sends questions as requests, on the stream of the call, while the handler waits. */
export class LegacyInputRequester implements InputRequester {
  readonly forms: Forms;
  readonly #call: Call;
  readonly #timeoutMs: number;
  readonly #effects = new Effects();

  constructor(call: Call, forms: Forms, timeoutMs: number) {
    this.forms = forms;
    this.#call = call;
    this.#timeoutMs = timeoutMs;
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    const { method, params, needs } = question;
    const { session, peer, signal, client, scopes } = this.#call;
    if (this.#call.isDone && !signal.aborted) throw createCallEndedError();
    if (!hasCapabilities(client.capabilities, needs)) throw createMissingCapabilityError(this.#call, needs);
    if (session === undefined || peer.acceptsEvents === false) {
      throw new ToolError(
        "The client cannot receive questions: it opened no session, or does not accept an event stream.",
      );
    }
    const { requests } = session;
    return readResponse(
      question,
      await requests.send(peer, method, params, { signal, timeoutMs: this.#timeoutMs, scopes }),
    );
  }

  step<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#effects.step(key, effect);
  }
}
