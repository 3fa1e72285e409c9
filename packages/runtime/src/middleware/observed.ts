import type { CallEnd, ObservedCall, Observer, Outcome } from "../api/observer.js";
import { isProtocolError } from "../api/errors.js";
import { InputRequired } from "../ask/replay/input-required.js";
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { isObject } from "../protocol/jsonrpc.js";
import type { Content, ToolResult } from "../protocol/specification.js";

/** Serves a request: the result as JSON text. */
type Serve = (call: Call) => string | Promise<string>;

/**
 * Lets observers see each call from its arrival to its end. Without any, it is served as it is.
 *
 * @param onError takes what observers throw
 */
export function observed(
  serve: Serve,
  observers: readonly Observer[],
  onError: (error: unknown) => void,
): Serve {
  if (observers.length === 0) return serve;
  const attempt = <Value>(act: () => Value): Value | undefined => {
    try {
      return act();
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
  return (call) => {
    const begin = performance.now();
    call.notes = {};
    const seen = new SeenCall(call);
    const observations = observers.flatMap((each) => attempt(() => each.observe(seen)) ?? []);
    const end = (error?: unknown): void => {
      const ends = { durationMs: performance.now() - begin, ...endOf(call, error) };
      for (const each of observations.splice(0)) attempt(() => each.end(ends));
    };
    const serveAll = observations.reduceRight<() => string | Promise<string>>(
      (next, each) => () => (each.run ? each.run(next) : next()),
      () => serve(call),
    );
    try {
      const answer = serveAll();
      if (typeof answer === "string") {
        end();
        return answer;
      }
      // Not what comes of it: the answer must not be known later than without observers.
      answer.then(() => end(), end);
      call.onFinish(() => {
        if (call.cancelled) end();
      });
      return answer;
    } catch (error) {
      end(error);
      throw error;
    }
  };
}

/** The request, for who observes it. */
class SeenCall extends CallCaller implements ObservedCall {
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
    return this.#call.notes?.target?.entry.definition.name;
  }

  get argumentsSchema(): JsonSchema | undefined {
    return this.#call.notes?.target?.arguments?.schema;
  }
}

function endOf(call: Call, error: unknown): Omit<CallEnd, "durationMs"> {
  const { result, reference } = call.notes ?? {};
  const answer = isObject(result) ? (result as Partial<ToolResult>) : undefined;
  const failure = isProtocolError(error) ? error : undefined;
  return {
    outcome: outcomeOf(call, error),
    code: failure?.code,
    reason: failure?.message ?? (answer?.isError === true ? textOf(answer.content) : undefined),
    reference,
    result: answer,
  };
}

function outcomeOf(call: Call, error: unknown): Outcome {
  const { notes = {}, cancelled, stopped } = call;
  const { result, outcome, reference, began } = notes;
  if (outcome !== undefined) return outcome;
  const isFailure = error !== undefined || (isObject(result) && result.isError === true);
  if (!isFailure && !cancelled) return result instanceof InputRequired ? "input-required" : "ok";
  if (stopped) return (call.signal.reason as Error).name === "TimeoutError" ? "timeout" : "cancelled";
  if (reference !== undefined || (error !== undefined && !isProtocolError(error))) return "internal-error";
  return began === true ? "failed" : "refused";
}

function textOf(content: readonly Content[] = []): string | undefined {
  const [first] = content;
  return first?.type === "text" ? first.text : undefined;
}
