import { InputRequired } from "../ask/replay/input-required.js";
import type { Invoke } from "../assembly/handlers.js";
import type { CallResult } from "../api/middleware.js";
import type { Call } from "../connection/call.js";
import type { Invocation } from "../connection/invocation.js";
import { settle } from "../connection/settle.js";
import type { Step, StepsOf } from "../middleware/chain.js";
import { ServedCall, type Target } from "../middleware/served-call.js";
import { isObject } from "../protocol/jsonrpc.js";
import { LATEST, type Revision } from "../protocol/revisions.js";
import type { Result, WriteResult } from "../results/envelope.js";
import type { Attempt, RunHandler } from "./method.js";

export interface RunnerOptions {
  readonly write: WriteResult;
  /** How handlers are called. */
  readonly invoke: Invoke;
  /** Makes what results say fit to be shown. */
  readonly sanitize: (result: Result) => Result;
  /** The middleware on the way to a handler. */
  readonly stepsOf: StepsOf;
}

export function createRunner({ write, invoke, sanitize, stepsOf }: RunnerOptions): RunHandler {
  const produce = (
    invocation: Invocation,
    { handler }: Target,
    attempt: Attempt,
    args: Record<string, unknown>,
  ): unknown => {
    attempt.admit(args);
    invocation.begin();
    return attempt.produce === undefined ? invoke(invocation, handler, args) : attempt.produce(args);
  };

  const send = ({ call }: Invocation, attempt: Attempt, result: unknown): string =>
    result instanceof InputRequired
      ? write(call.revision, result.result, { type: "input_required" })
      : write(call.revision, sanitize(result as Result), attempt.hint && { hint: attempt.hint });

  /** By way of the middleware, which sees results in the form of the newest revision. */
  const runThrough = (
    steps: Step,
    invocation: Invocation,
    target: Target,
    attempt: Attempt,
  ): Result | Promise<Result> => {
    const { revision } = invocation.call;
    const call = new ServedCall(invocation.call, target, attempt.prepare);
    let last: { value: unknown; result: CallResult } | undefined;
    const serve = (): CallResult | Promise<CallResult> =>
      settle(
        () => produce(invocation, target, attempt, call.arguments),
        (value) => {
          const isOver = !(value instanceof InputRequired);
          const result = (isOver ? frozen(attempt.toResult(value, LATEST), attempt) : value) as CallResult;
          last = { value, result };
          return result;
        },
        rethrow,
      );
    return settle(
      () => steps(call, serve),
      (result) => {
        if (result !== last?.result) return accepted(result, last?.result, attempt, revision);
        const isReady = revision === LATEST || result instanceof InputRequired;
        return (isReady ? result : attempt.toResult(last?.value, revision)) as Result;
      },
      rethrow,
    );
  };

  return (invocation, target, attempt) => {
    const { call } = invocation;
    if (call.notes !== undefined) call.notes.target = target;
    const steps = stepsOf(target);
    return settle(
      () =>
        steps === undefined
          ? produce(invocation, target, attempt, attempt.prepare())
          : runThrough(steps, invocation, target, attempt),
      (value) => {
        const isResult = steps !== undefined || value instanceof InputRequired;
        const result = isResult ? value : attempt.toResult(value, call.revision);
        return send(invocation, attempt, noted(call, result));
      },
      (error) => write(call.revision, noted(call, attempt.toFailure(error))),
    );
  };
}

/** A result, of which observers are told. */
function noted<Value>({ notes }: Call, result: Value): Value {
  if (notes !== undefined) notes.result = result;
  return result;
}

/** What middleware answers with, held to what is listed and in the form of the client's revision. */
function accepted(
  result: unknown,
  own: CallResult | undefined,
  { member, accept }: Attempt,
  revision: Revision,
): Result {
  const isResult = isObject(result) && typeof result[member] === "object";
  if (isResult) return accept(result as object as CallResult, revision, own);
  throw new TypeError(
    `A middleware gave no result: it has to return what \`next()\` gives, or a result with \`${member}\`.`,
  );
}

/** Middleware answers with another result rather than with a changed one, which nobody would check. */
function frozen(result: Result, { member }: Attempt): Result {
  Object.freeze((result as Record<string, unknown>)[member]);
  return Object.freeze(result);
}

function rethrow(error: unknown): never {
  throw error;
}
