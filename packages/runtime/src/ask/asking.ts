import type { Call } from "../connection/call.js";
import type { Application } from "../assembly/application.js";
import type { Handler } from "../assembly/handlers.js";
import type { Limits } from "../api/define-server.js";
import { type Runner, settle } from "../methods/method.js";
import type { SealResult } from "../protocol/result-envelope.js";
import { createForms } from "./forms.js";
import { InputRequired } from "./input-required.js";
import type { Forms } from "./served-form.js";
import { ReplayAsker } from "./replay-asker.js";
import { RequestAsker } from "./request-asker.js";
import { rethrow } from "./rethrow.js";
import { createStateSealer, digest, readStateKeys } from "./state.js";
import { isUrlRequired } from "./url-required.js";

/** Runs handlers so that they can ask the client, in the way of its revision. */
export interface Asking {
  readonly forms: Forms;
  /** A retry that brings a state or answers which do not belong to the request fails with a `ProtocolError`. */
  readonly run: Runner;
}

export interface AskingOptions {
  application: Application;
  limits: Limits;
  /** The server's name: instances of one server may share keys, different servers must not read each other's states. */
  serverName: string;
  /** See `readStateKeys`. */
  stateKeys: string | undefined;
  seal: SealResult;
}

/** @throws Error when forms and validators do not belong together, or a key is too short. */
export function createAsking(options: AskingOptions): Asking {
  const { application, limits, serverName, stateKeys, seal } = options;
  const forms = createForms(application);
  const sealer = createStateSealer(readStateKeys(stateKeys), limits.answerMs);
  /** Gives the call its asker, and returns what makes an outcome of the handler's value. */
  const prepare = (call: Call): ((value: unknown) => unknown) => {
    // Whoever made a task of the call has seen to its asking.
    if (call.task !== undefined) return (value) => value;
    if (call.revision.asks.by === "request") {
      call.asker = new RequestAsker(call, forms, limits.answerMs);
      return (value) => value;
    }
    const asker = new ReplayAsker(call, forms, sealer, () => bindingOf(call, serverName));
    call.asker = asker;
    return (value) => (isThenable(value) ? asker.outcome(value) : value);
  };
  /** What the handler returns, or `InputRequired` for one that has to be run again with answers. */
  const invoke = (call: Call, handler: Handler, args: Record<string, unknown>): unknown => {
    const produce = (): unknown => handler.invoke(args, call);
    if (handler.usesContext) {
      const outcome = prepare(call);
      return outcome(attempt(produce, (error) => rethrow(call, error)));
    }
    // Without a context a handler cannot ask, but it can still fail for want of a URL.
    return attempt(produce, (error) => {
      if (!isUrlRequired(error)) throw error;
      return prepare(call)(rethrow(call, error));
    });
  };
  return {
    forms,
    run: (call, handler, args, onValue, onError) =>
      settle(
        () => invoke(call, handler, args),
        (value) =>
          value instanceof InputRequired
            ? seal(call.revision, value.members, undefined, "input_required")
            : onValue(value),
        onError,
      ),
  };
}

function attempt(produce: () => unknown, onError: (error: unknown) => unknown): unknown {
  try {
    const value = produce();
    return isThenable(value) ? Promise.resolve(value).catch(onError) : value;
  } catch (error) {
    return onError(error);
  }
}

/** True for a request that brings answers; its result depends on them and must not be cached. */
export function isRetry(call: Call): boolean {
  return call.params.inputResponses !== undefined || call.params.requestState !== undefined;
}

/** What a state belongs to: it opens for the same principal and the same request only. */
function bindingOf(call: Call, serverName: string): string {
  const { name, uri, arguments: args } = call.params;
  const request = digest([call.method, name ?? uri ?? null, args ?? {}]);
  return JSON.stringify([serverName, call.connection.peer.principal ?? null, request]);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
