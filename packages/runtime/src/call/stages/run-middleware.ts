import {
  composeSteps,
  authorization,
  type CallResult,
  type HandlerCall,
  type Middleware,
  selectMiddleware,
} from "../../api/middleware.js";
import { formatOptionValue } from "../../data/options/option-rule.js";
import type { Result } from "../../data/results/envelope.js";
import { StructuredResult, TextResult } from "../../data/results/tool-result.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { LATEST } from "../../protocol/revisions.js";
import type { ToolResult } from "../../protocol/specification.js";
import { InputRequired } from "../input/replay/input-required.js";
import type { Call } from "../connection/call.js";
import { checkScopes } from "./authorize.js";
import { createValidation, FinishedResult } from "./result-steps.js";
import { freezeDeep } from "../../data/freeze.js";
import { TargetCall } from "./target-call.js";
import type { Serve, ServerParts, Stage, Target } from "./stage.js";

/**
 * Runs the author's middleware: the server's around the handler's. It sees results of the newest revision. A result
 * that it returns unchanged is built again for the client's revision; any other result is validated.
 */
export const runMiddleware: Stage = (next, target, server) => {
  const { handler, entry, member } = target;
  const { use } = server.settings;
  const scopeChecks = entry.scopes === undefined ? [] : [createScopeCheck(target, server)];
  const all = selectMiddleware([...use, ...(handler.options.use ?? [])], handler.owner).flatMap((each) =>
    each === authorization ? scopeChecks : each,
  );
  if (all.length === 0) return next;
  const run = composeSteps<TargetCall, Promise<CallResult>>(
    all.map((middleware) => async (call, rest) => {
      let hasEnded = false;
      const runRest = async (): Promise<CallResult> => {
        // The response has been sent, so the handler's result or error would be lost.
        if (hasEnded) throw new Error(`${describeMiddleware(middleware)} called next() after it had ended.`);
        return rest();
      };
      try {
        return checkResult(await middleware.call(handler.owner, call, runRest), member, middleware);
      } finally {
        hasEnded = true;
      }
    }),
  );
  const runHandler = createHandlerRun(next, target, server);
  const getReject = createValidation(target, server);

  return async function callMiddleware(call) {
    let last: { value: unknown; result: CallResult } | undefined;
    const result = await run(new TargetCall(call, target), async () => {
      const value = await runHandler(call);
      const result =
        value instanceof InputRequired
          ? value
          : toFrozenResult(target.toResult(call, value, LATEST, getReject(call)));
      last = { value, result: result as CallResult };
      return last.result;
    });
    if (last !== undefined && result === last.result) {
      const isReady = call.revision === LATEST && !(result instanceof InputRequired);
      return isReady ? new FinishedResult(result as Result) : last.value;
    }
    if (result instanceof InputRequired) throw new TypeError(`A middleware ${QUESTIONS_CHANGED}`);
    const { revision } = call;
    const replaced =
      target.replaceResult === undefined
        ? target.toResult(call, result, revision, getReject(call))
        : target.replaceResult(call, result, last?.result, revision, getReject(call));
    return new FinishedResult(replaced);
  };
};

const QUESTIONS_CHANGED =
  'changed or stored a result with `resultType: "input_required"`. Return what `next()` resolves to.';

/**
 * Returns the result of a middleware.
 *
 * @throws TypeError that names the middleware, if it returned anything else
 */
function checkResult(result: unknown, member: Target["member"], middleware: Middleware): CallResult {
  if (result instanceof InputRequired) return result as object as CallResult;
  const subject = describeMiddleware(middleware);
  // A copy would replace the questions to the client.
  if (isObject(result) && result.resultType === "input_required")
    throw new TypeError(`${subject} ${QUESTIONS_CHANGED}`);
  if (isObject(result) && typeof result[member] === "object") return result as object as CallResult;
  const returned = isObject(result) ? `an object without a valid \`${member}\`` : formatOptionValue(result);
  throw new TypeError(
    `${subject} returned ${returned}. Return what \`next()\` resolves to, or a result with \`${member}\`.`,
  );
}

function describeMiddleware({ name }: Middleware): string {
  return name === "" ? "A middleware" : `The middleware "${name}"`;
}

/** Calls the handler, and sends the user to the URLs of a `UrlElicitationRequiredError`. */
function createHandlerRun(next: Serve, { callsHandler }: Target, { clientInput }: ServerParts): Serve {
  return async function runHandler(call: Call) {
    try {
      return await next(call);
    } catch (error) {
      const questions = callsHandler ? clientInput.requireUrl(call, error) : undefined;
      if (questions === undefined) throw error;
      return questions;
    }
  };
}

/** Returns the middleware that checks scopes in place of `authorization` in `use`. */
function createScopeCheck({ entry }: Target, { settings }: ServerParts): Middleware {
  return async (call: HandlerCall, next) => {
    checkScopes((call as TargetCall).call, entry, settings);
    return next();
  };
}

/**
 * Returns a frozen copy of a result for middleware. A change in place throws, because it would be lost for some revisions
 * and validated for none; middleware returns another result instead. The original may contain objects of the author.
 */
function toFrozenResult(result: Result): Result {
  if (result instanceof TextResult) return freezeDeep(result);
  if (!(result instanceof StructuredResult)) return freezeDeep(JSON.parse(JSON.stringify(result)) as Result);
  const { text } = result.content[0];
  return freezeDeep<ToolResult>(new StructuredResult(JSON.parse(text), text));
}
