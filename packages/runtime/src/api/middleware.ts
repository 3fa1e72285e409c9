import type { Caller } from "./caller.js";
import type {
  Prompt,
  PromptResult,
  Resource,
  ResourceResult,
  ResourceTemplate,
  Tool,
  ToolResult,
} from "../protocol/specification.js";

/** A call on its way to the handler of a tool, prompt, or resource, or to a completion. */
export interface HandlerCall extends Caller {
  /** Method of the protocol. */
  readonly method: "tools/call" | "prompts/get" | "resources/read" | "completion/complete";
  /** Name of the tool, prompt, resource, or resource template. */
  readonly name: string;
  /** Definition, as clients list it. */
  readonly definition: Readonly<Tool | Prompt | Resource | ResourceTemplate>;
  /** Scopes that the call needs. */
  readonly scopes: readonly string[];
  /** Parameters as the client sent them. */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * Arguments as the handler declares them. They are validated and converted when they are first read, or before the
   * handler runs. Reading invalid arguments throws the error that the client receives.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Instance that the handler belongs to, or its class for a static handler. */
  readonly instance: object;
  /** ID of the request, which the client chose. */
  readonly id: string | number;
  /** Protocol revision, such as `"2026-07-28"`. */
  readonly revision: string;
  /** Aborted when the client cancels, its connection ends, or the server shuts down. */
  readonly signal: AbortSignal;
}

/** Suggestions for an argument. */
export interface CompletionResult {
  /** The suggestions, the total number including those left out, and whether some were left out. */
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

/** Result of a handler that runs again when the client has answered (2026-07-28). Return it unchanged. */
export interface InputRequiredResult {
  /** Distinguishes it from the result of a handler that has finished. */
  readonly resultType: "input_required";
}

/** Result of a call in the format of the newest revision, whichever revision the client uses. */
export type CallResult = ToolResult | PromptResult | ResourceResult | CompletionResult | InputRequiredResult;

/**
 * Runs code before and after every handler: code before `next()` runs before the handler, and code after it sees the
 * result. The first of several is the outermost. Middleware that does not call `next` returns the result in place of
 * the handler. Middleware that calls it twice runs the handler twice.
 *
 * `next()` throws what the handler throws. A `ToolError` or a `ProtocolError` is sent to the client, as are errors
 * about scopes, limits, and invalid arguments; any other error becomes an internal error. The same applies to errors of
 * the middleware. `next()` also throws if it is called after the middleware has ended. Arguments and results are frozen
 * copies: to change a result, return a new object, which is validated like the handler's result.
 *
 * In revision 2026-07-28, a question to the client (`ctx.elicit`) ends a round with `resultType: "input_required"`.
 * The next round runs all middleware again.
 *
 * @example
 * const timed: Middleware = async (call, next) => {
 *   const start = performance.now();
 *   try {
 *     return await next();
 *   } finally {
 *     histogram.record(performance.now() - start, { tool: call.name });
 *   }
 * };
 */
export type Middleware = (
  call: HandlerCall,
  next: () => Promise<CallResult>,
) => CallResult | Promise<CallResult>;

/**
 * Marks where scopes are checked in `use`. By default, they are checked before all middleware. Middleware before the
 * mark also sees calls that are rejected because of a missing scope.
 *
 * @example
 * use: [countEveryCall, authorization, cacheAnswers]
 */
export const authorization: Middleware = () => {
  throw new Error("`authorization` only marks a position in `use` of defineServer(). Do not call it.");
};

/**
 * Limits middleware to the handlers of one class or one instance. If that class or instance has no handlers, the server
 * logs a warning when it starts, because the middleware never runs.
 *
 * @throws TypeError if `owner` is neither a class nor an instance, or if no middleware is passed
 * @example
 * use: [middlewareFor(Files, readOnlyAtNight), middlewareFor(archive, cached)]
 */
export function middlewareFor(owner: object, ...use: readonly Middleware[]): Middleware {
  if ((typeof owner !== "object" && typeof owner !== "function") || owner === null)
    throw new TypeError(
      `The first argument of middlewareFor() must be a class or an instance (got ${String(owner)}).`,
    );
  if (use.length === 0 || use.some((each) => typeof each !== "function"))
    throw new TypeError(
      "middlewareFor() needs one or more functions after the class: (call, next) => next().",
    );
  const all = composeSteps<HandlerCall, Promise<CallResult>>(
    use.map((each) => async (call, next) => each(call, next)),
  );
  const owns = (instance: object): boolean =>
    instance === owner || (typeof owner === "function" && instance instanceof owner);
  const limited: Middleware = (call, next) => (owns(call.instance) ? all(call, next) : next());
  const described =
    typeof owner === "function"
      ? `the class "${owner.name}", which has no tools, prompts, or resources. Pass a class that has some.`
      : `an instance of "${owner.constructor.name}" whose methods are not served. ` +
        "Pass the class, or list the instance in `provide`.";
  return Object.assign(limited, {
    select: (instance) => (owns(instance) ? use : []),
    explainUnused: (at, owners) => {
      const owned = owners.filter(owns);
      if (owned.length === 0) return `${at} never runs: middlewareFor() limits it to ${described}`;
      const inner = use as readonly Partial<LimitedMiddleware>[];
      return inner.some((each) => each.explainUnused?.(at, owned) !== undefined)
        ? `A middlewareFor() inside ${at} never runs, because the outer one excludes its class or instance.`
        : undefined;
    },
  } satisfies LimitedMiddleware);
}

/** Middleware that `middlewareFor` has limited to a class or an instance. */
export interface LimitedMiddleware {
  /** Returns the middleware for the handlers of an instance, or of a class with static ones; none for others. */
  select(instance: object): readonly Middleware[];
  /**
   * Returns a warning if this middleware, or other limited middleware inside it, runs for none of the instances that
   * have handlers.
   *
   * @param at its location in the configuration
   */
  explainUnused(at: string, owners: readonly object[]): string | undefined;
}

/** Returns the middleware that runs for the handlers of an instance, omitting middleware that is limited to others. */
export function selectMiddleware(use: readonly Middleware[], instance: object): Middleware[] {
  return use.flatMap((each) => {
    const { select } = each as Partial<LimitedMiddleware>;
    return select === undefined ? each : selectMiddleware(select(instance), instance);
  });
}

/** Combines several steps into one. The first is the outermost, and each decides whether to run the next. */
export function composeSteps<Call, Result>(
  steps: readonly ((call: Call, next: () => Result) => Result)[],
): (call: Call, serve: () => Result) => Result {
  return (call, serve) => {
    const from = (index: number): Result =>
      steps[index] === undefined ? serve() : steps[index](call, () => from(index + 1));
    return from(0);
  };
}
