import type { Call } from "../connection/call.js";
import type { Entries } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import * as ErrorCode from "../protocol/error-codes.js";
import { isProtocolError, isToolError, ProtocolError } from "../api/errors.js";
import type { ListName } from "../api/notifier.js";
import type { ServerCapabilities } from "../protocol/specification.js";
import { toolErrorMembers } from "../results/result-members.js";
import type { Revision } from "../protocol/revisions.js";
import type { SealResult } from "../protocol/result-envelope.js";
import type { Settings } from "../assembly/settings.js";
import type { Announced, Subscriptions } from "../subscriptions/subscriptions.js";
import type { TaskServing } from "../tasks/serve-task.js";

/** Serves one request: the result as JSON text, at once where nothing has to be waited for. */
export type Method = (call: Call) => string | Promise<string>;

/** Methods that belong together, and the capability that tells clients of them. */
export interface MethodFamily {
  /** The methods by name; none where the server has nothing for them to serve. */
  methods(source: MethodSource): Record<string, Method>;
  /** @param announced what the client in question can be told of, if it can be told anything */
  capabilities?(
    source: MethodSource,
    revision: Revision,
    announced: Announced | undefined,
  ): ServerCapabilities | undefined;
}

/** What methods are made from. */
export interface MethodSource {
  readonly settings: Settings;
  readonly entries: Entries;
  readonly subscriptions: Subscriptions;
  /** Absent where no tool has tasks. */
  readonly tasks: TaskServing | undefined;
  /** Runs the handler of a request, or sends the client what the handler has to ask it first. */
  readonly run: Runner;
  readonly seal: SealResult;
  /**
   * The words for an error of the author's code: its own when the peer is its author, else a neutral sentence
   * under a reference. `subject` names what failed, such as `tool "current"`.
   */
  explain(error: unknown, subject: string, call: Call): string;
}

/** Calls a handler, and makes the result of its value or of what it throws. */
export type Runner = (
  call: Call,
  handler: Handler,
  args: Record<string, unknown>,
  onValue: (value: unknown) => string,
  onError: (error: unknown) => string,
) => string | Promise<string>;

/** The capability of a list that can, or cannot, change. */
export function listCapability(announced: Announced | undefined, list: ListName): { listChanged?: boolean } {
  return announced?.lists.has(list) === true ? { listChanged: true } : {};
}

/** Waits for a handler's value only when there is something to wait for. */
export function settle(
  produce: () => unknown,
  onValue: (value: unknown) => string,
  onError: (error: unknown) => string,
): string | Promise<string> {
  try {
    const value = produce();
    return isThenable(value) ? Promise.resolve(value).then(onValue).catch(onError) : onValue(value);
  } catch (error) {
    return onError(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Throws what a client may read of a failed prompt or resource: protocol errors and the words of a `ToolError`
 * as they are, everything else as a neutral sentence.
 */
export function handlerFailure(source: MethodSource, error: unknown, subject: string, call: Call): never {
  if (isProtocolError(error)) throw error;
  const message = isToolError(error) ? error.message : source.explain(error, subject, call);
  throw new ProtocolError(ErrorCode.InternalError, message);
}

/** Gives an answer in place of a handler that takes longer than `callMs` milliseconds, and tells it to stop. */
export function withTimeLimit(method: Method, callMs: number, seal: SealResult): Method {
  return (call) => {
    const result = method(call);
    // A subscription lasts until somebody ends it.
    if (typeof result === "string" || call.method === "subscriptions/listen") return result;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = `The call took longer than ${callMs} ms and was stopped.`;
        if (call.method === "tools/call") resolve(seal(call.revision, toolErrorMembers(message)));
        else reject(new ProtocolError(ErrorCode.InternalError, message));
        // What is cancelled gets no answer any more, so whoever waits for this one goes first.
        queueMicrotask(() => call.cancel("The call took too long.", "TimeoutError"));
      }, callMs);
      void result.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
}
