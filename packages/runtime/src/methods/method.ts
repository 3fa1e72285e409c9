import type { CacheHint } from "../results/cache-hints.js";
import type { SessionChange } from "../protocol/agreement.js";
import type { Call } from "../connection/call.js";
import type { Invocation } from "../connection/invocation.js";
import type { Session } from "../connection/session.js";
import type { Entries } from "../assembly/entries.js";
import type { CallResult, HandlerCall } from "../api/middleware.js";
import type { Authorize } from "../middleware/authorization.js";
import type { CallsInProgress } from "../middleware/calls-in-progress.js";
import { durationText } from "../explain/duration-text.js";
import type { Target } from "../middleware/served-call.js";
import * as ErrorCode from "../protocol/error-codes.js";
import {
  invalidParams,
  isNotFoundError,
  isProtocolError,
  isToolError,
  ProtocolError,
} from "../api/errors.js";
import type { ListName } from "../api/notifier.js";
import type { ServerCapabilities } from "../protocol/specification.js";
import { toolErrorResult } from "../results/tool-result.js";
import type { OutputRefusal } from "../results/output-check.js";
import type { Revision } from "../protocol/revisions.js";
import type { Result, WriteResult } from "../results/envelope.js";
import type { Settings } from "../assembly/settings.js";
import type { AnnouncedChanges, Subscriptions } from "../subscriptions/subscriptions.js";
import type { ServerTasks } from "../tasks/server-tasks.js";

/** Serves one request: the result as JSON text, at once where nothing has to be waited for. */
export type Method = (call: Call) => string | Promise<string>;

/** Methods that belong together, and the capability that tells clients of them. */
export interface MethodFamily {
  /** The methods by name; none where the server has nothing for them to serve. */
  methods(source: MethodSource): Record<string, Method>;
  /** @param announced the changes that the client in question can be notified of, if it can be of any */
  capabilities?(
    source: MethodSource,
    revision: Revision,
    announced: AnnouncedChanges | undefined,
  ): ServerCapabilities | undefined;
}

/** What methods are made from. */
export interface MethodSource {
  readonly settings: Settings;
  readonly entries: Entries;
  /** Absent where nothing changes that clients could be told of. */
  readonly subscriptions: Subscriptions | undefined;
  /** Absent where no tool has tasks. */
  readonly tasks: ServerTasks | undefined;
  /** Runs a handler, or sends the client what the handler has to ask it first. */
  readonly run: RunHandler;
  readonly write: WriteResult;
  /**
   * The words for an error of the author's code: its own when the peer is its author, else a public message
   * under a reference. `subject` names what failed, such as `tool "current"`.
   */
  reportError(error: unknown, subject: string, call: Call): string;
  /** The words for what a handler has thrown: its author's in a `ToolError`, else those of `reportError`. */
  failureText(error: unknown, subject: string, call: Call): string;
  /** Lets a call pass to a handler, or says why not. */
  readonly authorize: Authorize;
  readonly inProgress: CallsInProgress;
  /** Refuses results that are not what was listed, as the server is configured. */
  readonly refusal: OutputRefusal<Call>;
}

/** Calls a handler, by way of its middleware, and writes the result that its value, or its error, comes to. */
export type RunHandler = (
  invocation: Invocation,
  target: Target,
  attempt: Attempt,
) => string | Promise<string>;

/** One call of a handler. Whatever its parts throw goes to `toFailure`. */
export interface Attempt {
  /** Checks and converts the arguments. */
  prepare(): Record<string, unknown>;
  /** @throws ProtocolError where the caller may not call with these */
  admit(args: Record<string, unknown>): void;
  /** Calls what stands in the handler's place. Default: the handler. */
  produce?(args: Record<string, unknown>): unknown;
  /** The result that the handler's value comes to. */
  toResult(value: unknown, revision: Revision): Result;
  /** The member by which results are known. */
  readonly member: "content" | "messages" | "contents" | "completion";
  /**
   * The result that a middleware answers with, held to what the handler's are held to.
   *
   * @param own the handler's, if it was called
   */
  accept(result: CallResult, revision: Revision, own: CallResult | undefined): Result;
  /** @throws ProtocolError for what no result can say */
  toFailure(error: unknown): Result;
  readonly hint?: CacheHint | undefined;
}

/** The capability of a list that can, or cannot, change. */
export function listCapability(
  announced: AnnouncedChanges | undefined,
  list: ListName,
): { listChanged?: boolean } {
  return announced?.lists.has(list) === true ? { listChanged: true } : {};
}

/**
 * Throws what a client may read of a failed prompt or resource: protocol errors and the words of a `ToolError`
 * as they are, everything else as a public message. What a prompt does not find, its arguments named.
 */
export function handlerFailure(source: MethodSource, error: unknown, subject: string, call: Call): never {
  if (isProtocolError(error)) throw error;
  if (isNotFoundError(error)) throw invalidParams(error.message);
  throw new ProtocolError(ErrorCode.InternalError, source.failureText(error, subject, call));
}

/** The answer, given once other processes will know what the client has changed in its session. */
export function onceRemembered(
  { peer }: Session,
  change: SessionChange,
  answer: string,
): string | Promise<string> {
  const remembered = peer.remember?.(change);
  return remembered === undefined ? answer : remembered.then(() => answer);
}

/** Methods on the way to a handler. */
function isHandlerMethod(name: string): name is HandlerCall["method"] {
  return /^(tools\/call|prompts\/get|resources\/read|completion\/complete)$/.test(name);
}

/** Refuses calls of a caller who has too many in progress. */
export function withCallLimit(name: string, method: Method, { inProgress, write }: MethodSource): Method {
  // Of the others, these alone wait for the author's code.
  if (!isHandlerMethod(name) && name !== "resources/list") return method;
  return (call) => {
    const refused = call.isAgain ? undefined : inProgress.refusal(call);
    if (isToolError(refused)) {
      if (call.notes !== undefined) call.notes.outcome = "refused";
      return write(call.revision, toolErrorResult(refused.message));
    }
    if (refused !== undefined) throw refused;
    const result = method(call);
    if (typeof result !== "string") call.onFinish(inProgress.hold(call));
    return result;
  };
}

/**
 * Gives an answer in place of a method that takes longer than `callMs` milliseconds. The way to handlers has a limit of
 * its own (`createTimeLimits`).
 */
export function withTimeLimit(name: string, method: Method, callMs: number): Method {
  // A subscription lasts until somebody ends it.
  if (callMs === 0 || isHandlerMethod(name) || name === "subscriptions/listen") return method;
  return (call) => {
    const result = method(call);
    if (typeof result === "string") return result;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (call.notes !== undefined) call.notes.outcome = "timeout";
        const message = `The call took longer than ${durationText(callMs)} and was stopped.`;
        reject(new ProtocolError(ErrorCode.InternalError, message));
        // What is cancelled gets no answer any more, so whoever waits for this one goes first.
        queueMicrotask(() => call.cancel("The call took too long.", "TimeoutError"));
      }, callMs);
      void result.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
}
