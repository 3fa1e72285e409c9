import type { Caller } from "./caller.js";
import { inOrder } from "./in-order.js";
import type {
  Prompt,
  PromptResult,
  Resource,
  ResourceResult,
  ResourceTemplate,
  Tool,
  ToolResult,
} from "../protocol/specification.js";

/** A call on its way to the handler of a tool, a prompt or a resource, or to the suggestions for an argument. */
export interface HandlerCall extends Caller {
  readonly method: "tools/call" | "prompts/get" | "resources/read" | "completion/complete";
  /** The name of the tool, prompt, resource or resource template. */
  readonly name: string;
  /** As it is listed. */
  readonly definition: Readonly<Tool | Prompt | Resource | ResourceTemplate>;
  /** The scopes that it needs. */
  readonly scopes: readonly string[];
  /** What the client sent, as it sent it. */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * The arguments as the handler declares them: checked and converted when somebody first reads them, else right before
   * the handler is called. Those that are wrong throw what the client is then told.
   */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The instance that the handler belongs to, or its class where the handler is static. */
  readonly instance: object;
  readonly id: string | number;
  /** The protocol revision, such as `"2026-07-28"`. */
  readonly revision: string;
  /** Aborted when the client cancels, its connection ends, or the server shuts down. */
  readonly signal: AbortSignal;
}

/** Suggestions for an argument. */
export interface CompletionResult {
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

/** The handler waits for answers of the client, and will run again with them (2026-07-28). Return it as it is. */
export interface InputRequiredResult {
  readonly resultType: "input_required";
}

/** What a call comes to, in the form of the newest revision, whichever the client speaks. */
export type CallResult = ToolResult | PromptResult | ResourceResult | CompletionResult | InputRequiredResult;

/**
 * Wraps the way to every handler: what it does before `next()` comes before the handler, what it does afterwards sees the
 * result. The first of several is the outermost. One that does not call `next` answers in place of the handler; one
 * that calls it twice runs the handler twice.
 *
 * What a handler throws, `next()` throws, before it becomes an answer: a `ToolError` or a `ProtocolError` is meant for the
 * client, and so is what scopes, limits and wrong arguments are answered with; any other error becomes an internal error.
 * The same goes for what the middleware throws. A result that it changes is a new object, and held to what is listed as
 * the handler's is.
 *
 * A question to the client (`ctx.elicit`) in revision 2026-07-28 ends a round with `resultType: "input_required"`; the
 * next round comes through all middleware again.
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
 * Stands for the check of scopes in `use`. It comes before all other middleware unless `use` names it at another place;
 * what is before it sees also the calls that are refused for want of a scope.
 *
 * @example
 * use: [countEveryCall, authorization, cacheAnswers]
 */
export const authorization: Middleware = () => {
  throw new Error("`authorization` only marks a place in `use` of defineServer().");
};

/**
 * Middleware for the handlers of one class, or of one instance.
 *
 * @example
 * use: [only(Files, readOnlyAtNight), only(archive, cached)]
 */
export function only(owner: object, ...use: readonly Middleware[]): Middleware {
  const isOwner = ({ instance }: HandlerCall): boolean =>
    instance === owner || (typeof owner === "function" && instance instanceof owner);
  const all = inOrder<HandlerCall, Promise<CallResult>>(
    use.map((each) => async (call, next) => each(call, next)),
  );
  return (call, next) => (isOwner(call) ? all(call, next) : next());
}
