import type { Call } from "../call.js";
import type { Handler } from "../handlers.js";
import type { Limits } from "../define-server.js";
import type { Forms } from "./forms.js";
import { ReplayAsker } from "./replay-asker.js";
import { RequestAsker } from "./request-asker.js";
import { digest, type StateSealer } from "./state.js";
import { rethrow } from "./url-required.js";

/** Runs handlers so that they can ask the client, in the way of its revision. */
export interface Asking {
  /**
   * Calls a handler.
   *
   * @returns what the handler returns, or `InputRequired` for one that has to be run again with answers
   * @throws ProtocolError when a retry brings a state or answers that do not belong to the request
   */
  run(call: Call, handler: Handler, args: Record<string, unknown>): unknown;
}

export interface AskingOptions {
  forms: Forms;
  sealer: StateSealer;
  limits: Limits;
  /** The server's name: instances of one server may share keys, different servers must not read each other's states. */
  serverName: string;
}

export function createAsking({ forms, sealer, limits, serverName }: AskingOptions): Asking {
  return {
    run: (call, handler, args) => {
      if (!handler.usesContext) return handler.invoke(args, call);
      const invoke = (): unknown => {
        try {
          const value = handler.invoke(args, call);
          return isThenable(value) ? Promise.resolve(value).catch((error) => rethrow(call, error)) : value;
        } catch (error) {
          return rethrow(call, error);
        }
      };
      if (call.revision.asks.by === "request") {
        call.asker = new RequestAsker(call, forms, limits.answerMs);
        return invoke();
      }
      const asker = new ReplayAsker(call, forms, sealer, bindingOf(call, serverName));
      call.asker = asker;
      const value = invoke();
      return isThenable(value) ? asker.outcome(value) : value;
    },
  };
}

/** True for a request that brings answers; its result depends on them and must not be cached. */
export function isRetry(call: Call): boolean {
  return call.params.inputResponses !== undefined || call.params.requestState !== undefined;
}

/** What a state belongs to: it opens for the same principal and the same request only. */
function bindingOf(call: Call, serverName: string): string {
  const { name, uri, arguments: args } = call.params;
  const request = digest([call.method, name ?? uri ?? null, args ?? {}]);
  return JSON.stringify([serverName, call.connection.principal ?? null, request]);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
