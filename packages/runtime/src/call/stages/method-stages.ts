/**
 * The stages of all methods, whether or not they call a handler.
 * @module
 */
import { isToolError, ProtocolError } from "../../api/errors.js";
import { toErrorResult } from "../../data/results/tool-result.js";
import type { Stage } from "./stage.js";
import { formatDuration } from "../../data/explanations/format-duration.js";
import * as ErrorCode from "../../protocol/error-codes.js";

/** Lets observers see each call, even to a method that does not exist, from its start to its end. */
export const observe: Stage<void> = (next, target, server) =>
  server.createObservation?.(next, target, server) ?? next;

/** The methods that call a handler. */
const HANDLER_METHODS = ["tools/call", "prompts/get", "resources/read", "completion/complete"];

/** The methods that wait for the author's code. */
const COUNTED_METHODS: ReadonlySet<string> = new Set([...HANDLER_METHODS, "resources/list"]);

/** Rejects the calls of a caller that has too many in progress. */
export const limitConcurrency: Stage<string> = (next, method, { inProgress, write }) => {
  if (!COUNTED_METHODS.has(method)) return next;
  return function countCall(call) {
    const rejection = call.isRecovered ? undefined : inProgress.findRejection(call);
    if (isToolError(rejection)) {
      if (call.notes !== undefined) call.notes.outcome = "rejected";
      return write(call.revision, toErrorResult(rejection.message));
    }
    if (rejection !== undefined) throw rejection;
    const result = next(call);
    if (typeof result !== "string") call.onFinish(inProgress.trackCall(call));
    return result;
  };
};

/** The methods that call a handler, whose time `limitTime` limits, and subscriptions, which have no time limit. */
const UNLIMITED_METHODS: ReadonlySet<string> = new Set([...HANDLER_METHODS, "subscriptions/listen"]);

/** Responds with an error in place of a method that takes longer than `limits.callTimeoutMs`. */
export const limitMethodTime: Stage<string> = (next, method, { settings }) => {
  const { callTimeoutMs } = settings.limits;
  if (callTimeoutMs === 0 || UNLIMITED_METHODS.has(method)) return next;
  return function waitForMethod(call) {
    const result = next(call);
    if (!(result instanceof Promise)) return result;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (call.notes !== undefined) call.notes.outcome = "timeout";
        const message = `The call took longer than ${formatDuration(callTimeoutMs)} and was stopped.`;
        reject(new ProtocolError(ErrorCode.InternalError, message));
        // A cancelled call receives no response, so this one must be sent first.
        queueMicrotask(() => call.cancel("The call took too long.", "TimeoutError"));
      }, callTimeoutMs);
      void result.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  };
};

/** The kind of declaration that the parameter `name` of a method refers to. */
const NAMED_KINDS: ReadonlyMap<string, "tools" | "prompts"> = new Map([
  ["tools/call", "tools"],
  ["prompts/get", "prompts"],
]);

/** The methods that validate the variables of a URI, or the answers of a user. */
const VALIDATING_METHODS =
  /^(?:resources\/(?:read|subscribe|directory\/read)|skills\/get|subscriptions\/listen|tasks\/.+)$/;

/** Loads the validators that a call needs, if they are not loaded yet. */
export const loadChecks: Stage<string> = (next, method, { validation }) => {
  const kind = NAMED_KINDS.get(method);
  if (kind === undefined && !VALIDATING_METHODS.test(method)) return next;
  return function loadChecks(call) {
    const loading = validation.load(kind, call.params.name);
    if (loading === undefined) return next(call);
    return loading.then(function serveWithChecks() {
      return next(call);
    });
  };
};
