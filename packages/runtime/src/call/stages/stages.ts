/**
 * The path of a call through the server. Only this file decides the order.
 *
 * A request passes `REQUEST_STAGES` and `METHOD_STAGES`, and reaches its method. The methods that call a handler
 * (`tools/call`, `prompts/get`, `resources/read`, `completion/complete`) find their target, and pass `HANDLER_STAGES` on
 * the way to the author's method. Its value, or what was thrown on the way, passes `RESULT_STEPS` on the way back. To add
 * a protection, write a stage, and add it to one of these lists.
 *
 * @module
 */
import { provideInput, beginHandler, sendFiles, serveAsTask } from "./handler-stages.js";
import { authorize, authorizeArguments } from "./authorize.js";
import { limitConcurrency, limitMethodTime, loadChecks, observe } from "./method-stages.js";
import { limitRate } from "./limit-rate.js";
import { limitSize, respondWith, buildResult, encodeResult, sanitizeResult } from "./result-steps.js";
import { interruptHandler, limitTime } from "./limit-time.js";
import { readArguments, downloadFiles } from "./read-arguments.js";
import { runMiddleware } from "./run-middleware.js";
import {
  composeStages,
  type ResultStep,
  type Serve,
  type ServerParts,
  type Stage,
  type Target,
} from "./stage.js";

/** Stages around every request, even if its method does not exist. */
const REQUEST_STAGES: readonly Stage<void>[] = [observe];

/** Stages around a method. */
const METHOD_STAGES: readonly Stage<string>[] = [limitConcurrency, limitMethodTime, loadChecks];

/** Steps from the value of a handler to the text of its result. `buildResult` also validates the result. */
const RESULT_STEPS: readonly ResultStep[] = [buildResult, sanitizeResult, limitSize, encodeResult];

/** Stages around a handler. */
const HANDLER_STAGES: readonly Stage[] = [
  serveAsTask,
  respondWith(RESULT_STEPS),
  limitRate,
  limitTime,
  authorize,
  runMiddleware,
  interruptHandler,
  readArguments,
  authorizeArguments,
  downloadFiles,
  beginHandler,
  provideInput,
  sendFiles,
];

/** Composes the stages of every request around the function that finds its method. */
export function composeRequest(findMethod: Serve, server: ServerParts): Serve<string> {
  return composeStages(REQUEST_STAGES, findMethod, undefined, server) as Serve<string>;
}

/** Composes the stages of a method around it. */
export function composeMethod(name: string, method: Serve<string>, server: ServerParts): Serve<string> {
  return composeStages(METHOD_STAGES, method, name, server) as Serve<string>;
}

/** Composes the stages of handlers around the author's methods, for all targets of one kind. */
export function composeHandlers<Served>(
  all: readonly Served[],
  createTarget: (served: Served, server: ServerParts) => Target,
  server: ServerParts,
): ReadonlyMap<Served, Serve<string>> {
  const compose = (target: Target): Serve<string> =>
    composeStages(HANDLER_STAGES, target.invoke, target, server) as Serve<string>;
  return new Map(all.map((served) => [served, compose(createTarget(served, server))]));
}
