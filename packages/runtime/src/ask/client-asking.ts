import type { Call } from "../connection/call.js";
import type { Invocation } from "../connection/invocation.js";
import { bindingOf } from "../connection/principal.js";
import { isThenable, settle } from "../connection/settle.js";
import { createForms } from "./questions/forms.js";
import type { Asking, AskingOptions } from "./asking.js";
import { ReplayAsker } from "./replay/replay-asker.js";
import { RequestAsker } from "./request-asker.js";
import { rethrow } from "./rethrow.js";
import { MemorySpentStates } from "./replay/spent-states.js";
import { createStateCipher } from "./replay/state.js";
import { digest } from "../encryption/digest.js";
import { readStateKeys } from "../encryption/encryption.js";
import { isUrlRequired } from "./is-url-required.js";

/**
 * Lets handlers ask clients.
 *
 * @throws Error when forms and validators do not belong together, or a key is too short.
 */
export function createClientAsking({
  application,
  limits,
  serverName,
  stateKeys,
  shared,
  calls,
}: AskingOptions): Asking {
  const forms = createForms(application);
  const cipher = createStateCipher(readStateKeys(stateKeys), limits.answerMs);
  const replays = {
    forms,
    cipher,
    answerMs: limits.answerMs,
    effects: shared?.effects,
    spentStates: shared?.spentStates ?? new MemorySpentStates(),
  };
  /** Gives the handler its asker, and returns what makes an outcome of its value. */
  const prepare = (invocation: Invocation): ((value: unknown) => unknown) => {
    const { call } = invocation;
    // Whoever made a task of the call has seen to its asking.
    if (invocation.asker !== undefined) return (value) => value;
    if (call.revision.asks.by === "request") {
      invocation.askBy(calls()?.asker(call) ?? new RequestAsker(call, forms, limits.answerMs));
      return (value) => value;
    }
    const asker = new ReplayAsker(call, { ...replays, binding: () => stateBinding(call, serverName) });
    invocation.askBy(asker);
    return (value) => (isThenable(value) ? asker.outcome(value) : value);
  };
  const requireUrl = (invocation: Invocation, error: unknown): unknown =>
    prepare(invocation)(rethrow(invocation, error));
  return {
    forms,
    invoke: (invocation, handler, args) => {
      const run = (onError: (error: unknown) => unknown): unknown =>
        settle(
          () => handler.invoke(args, invocation),
          (value) => value,
          onError,
        );
      if (handler.usesContext) {
        const outcome = prepare(invocation);
        return outcome(run((error) => rethrow(invocation, error)));
      }
      // Without a context a handler cannot ask, but it can still fail for want of a URL.
      return run((error) => {
        if (!isUrlRequired(error)) throw error;
        return requireUrl(invocation, error);
      });
    },
    requireUrl,
  };
}

/** What a state belongs to: it opens for the same principal and the same request only. */
function stateBinding(call: Call, serverName: string): string {
  const { name, uri, arguments: args } = call.params;
  const request = digest([call.method, name ?? uri ?? null, args ?? {}]);
  return JSON.stringify([serverName, bindingOf(call.peer.principal), request]);
}
