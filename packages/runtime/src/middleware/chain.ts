/**
 * The middleware around each handler, put together once.
 * @module
 */
import { authorization, type CallResult, type Middleware } from "../api/middleware.js";
import type { Authorize } from "./authorization.js";
import { inOrder } from "../api/in-order.js";
import type { ServedCall, Target } from "./served-call.js";

/**
 * Middleware of the runtime's own: without a promise where nothing has to be waited for, so that a call which waits for
 * nothing is answered at once.
 */
export type Step = (
  call: ServedCall,
  next: () => CallResult | Promise<CallResult>,
) => CallResult | Promise<CallResult>;

/** The steps to one handler; undefined where there are none, and the handler is called straight away. */
export type StepsOf = (target: Target) => Step | undefined;

/** The step of one kind to a handler; undefined where the handler needs none. */
export type StepTo = (handler: Target["handler"]) => Step | undefined;

/** Holds the steps to a handler, and the handler, to a time; undefined where there is no limit. */
export type TimeLimitOf = (handler: Target["handler"]) => ((steps: Step) => Step) | undefined;

export interface StepsOptions {
  /** As configured. */
  readonly use: readonly Middleware[];
  /** Holds callers to scopes. */
  readonly authorize: Authorize;
  /** Holds callers to rate limits: before everything else, so that a flood costs little. */
  readonly limitRate: StepTo;
  readonly limitTime: TimeLimitOf;
}

export function createSteps({ use, authorize, limitRate, limitTime }: StepsOptions): StepsOf {
  const places = use.includes(authorization) ? use : [authorization, ...use];
  const compose = (target: Target): Step | undefined => {
    const { entry, handler } = target;
    const own = (handler.options.use ?? []).map((each) => each.bind(handler.owner));
    const around = [...places, ...own].flatMap((middleware): Step[] => {
      if (middleware !== authorization) return [(call, next) => middleware(call, async () => next())];
      return entry.scopes === undefined ? [] : [withScopes(authorize, target)];
    });
    const limit = limitRate(handler);
    const timed = limitTime(handler)?.(inOrder(around));
    const steps = [...(limit ? [limit] : []), ...(timed ? [timed] : around)];
    return steps.length === 0 ? undefined : inOrder(steps);
  };
  const composed = new Map<Target["handler"], { step: Step | undefined }>();
  return (target) => {
    const { handler } = target;
    let found = composed.get(handler);
    if (found === undefined) composed.set(handler, (found = { step: compose(target) }));
    return found.step;
  };
}

function withScopes(authorize: Authorize, { entry }: Target): Step {
  return ({ call }, next) => {
    authorize(call, entry);
    return next();
  };
}
