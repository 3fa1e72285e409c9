import type { CallSummary, Observation, ObservedCall, Outcome } from "../../api/observer.js";
import { isProtocolError } from "../../api/errors.js";
import { InputRequired } from "../input/replay/input-required.js";
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import type { Content, ToolResult } from "../../protocol/specification.js";
import type { Serve, Stage } from "./stage.js";

/** Creates the stage that lets observers see each call from its start to its end. */
export const createObservation: Stage<void> = (next, _target, { settings, reportError, entries }) => {
  const observers = settings.observe;
  if (observers.length === 0) return next;
  const serve = next as Serve<string>;
  const report = (error: unknown): void => void reportError(error, "observer");
  const attempt = <Value>(act: () => Value): Value | undefined => {
    try {
      return act();
    } catch (error) {
      report(error);
      return undefined;
    }
  };
  const secret = [...entries.templates.values()].find(({ hasSecrets }) => hasSecrets);
  return function observeCall(call) {
    const begin = performance.now();
    // A URI that no declaration matches may be a misspelled one with a secret.
    call.notes = secret && MAY_HAVE_URI.test(call.method) ? { target: { arguments: secret.arguments } } : {};
    const view = new CallView(call);
    const observations = observers.flatMap((each) => attempt(() => each.observe(view)) ?? []);
    const end = (error?: unknown): void => {
      const summary = { durationMs: performance.now() - begin, ...summarize(call, error) };
      for (const each of observations.splice(0)) attempt(() => each.end(summary));
    };
    const serveAll = observations.reduceRight<Serving>(
      (rest, each) => (each.run ? () => serveInside(each, rest, attempt, report) : rest),
      () => serve(call),
    );
    try {
      const result = serveAll();
      if (typeof result === "string") {
        end();
        return result;
      }
      // Not chained to the returned promise, so that observers do not delay the response.
      result.then(() => end(), end);
      call.onFinish(() => {
        if (call.isCancelled) end();
      });
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  };
};

type Serving = () => string | Promise<string>;

/**
 * Serves a call inside `run` of an observation. The answer is that of the call, even if the observer fails, or calls `serve` twice
 * or never.
 */
function serveInside(
  observation: Observation,
  serve: Serving,
  attempt: (act: () => unknown) => unknown,
  report: (error: unknown) => void,
): string | Promise<string> {
  let answer: string | Promise<string> | undefined;
  const serveOnce = (): string | Promise<string> => (answer ??= startServing(serve));
  const ran = attempt(() => observation.run?.(serveOnce));
  const own = serveOnce();
  if (ran instanceof Promise && ran !== own) {
    // A promise that is derived from the answer may reject with the answer's own error.
    const reportOwn = (error: unknown): void =>
      void Promise.resolve(own).then(
        () => report(error),
        (reason: unknown) => {
          if (reason !== error) report(error);
        },
      );
    ran.catch(reportOwn);
  }
  return own;
}

/** Calls `serve`. What it throws becomes a rejection, so that it differs from what an observer throws. */
function startServing(serve: Serving): string | Promise<string> {
  try {
    return serve();
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Methods whose requests may be about a resource, even if no method or resource is found. */
const MAY_HAVE_URI = /^(?:resources|completion)\//;

/** The view of one request for observers. */
class CallView extends CallCaller implements ObservedCall {
  readonly #call: Call;

  constructor(call: Call) {
    super(call);
    this.#call = call;
  }

  get method(): string {
    return this.#call.method;
  }

  get id(): string | number {
    return this.#call.id;
  }

  get revision(): string {
    return this.#call.revision.id;
  }

  get transport(): "http" | "stdio" {
    return this.#call.peer.header === undefined ? "stdio" : "http";
  }

  get params(): Readonly<Record<string, unknown>> {
    return this.#call.params;
  }

  get name(): string | undefined {
    return this.#call.notes?.target?.entry?.definition.name;
  }

  get argumentsSchema(): JsonSchema | undefined {
    return this.#call.notes?.target?.arguments?.schema;
  }

  get secrets(): readonly string[] {
    return this.#call.listSecrets();
  }
}

function summarize(call: Call, error: unknown): Omit<CallSummary, "durationMs"> {
  const { result, reference } = call.notes ?? {};
  const toolResult = isObject(result) ? (result as Partial<ToolResult>) : undefined;
  const failure = isProtocolError(error) ? error : undefined;
  return {
    outcome: findOutcome(call, error),
    code: failure?.code,
    reason: failure?.message ?? (toolResult?.isError === true ? getFirstText(toolResult.content) : undefined),
    reference,
    result: toolResult,
  };
}

function findOutcome(call: Call, error: unknown): Outcome {
  const { notes = {}, isCancelled, isStopped } = call;
  const { result, outcome, reference, hasBegun } = notes;
  if (outcome !== undefined) return outcome;
  const isFailure = error !== undefined || (isObject(result) && result.isError === true);
  if (!isFailure && !isCancelled) return result instanceof InputRequired ? "input-required" : "ok";
  if (isStopped) return (call.signal.reason as Error).name === "TimeoutError" ? "timeout" : "cancelled";
  if (reference !== undefined || (error !== undefined && !isProtocolError(error))) return "internal-error";
  return hasBegun === true ? "failed" : "rejected";
}

function getFirstText(content: readonly Content[] = []): string | undefined {
  const [first] = content;
  return first?.type === "text" ? first.text : undefined;
}
