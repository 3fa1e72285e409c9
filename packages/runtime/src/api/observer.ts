import type { Caller, Principal } from "./caller.js";
import type { LogSink } from "./log.js";
import type { JsonSchema } from "../protocol/json-schema.js";

/** A request as an observer sees it, from its arrival to its end. */
export interface ObservedCall extends Caller {
  /** Any method of a request, such as `"tools/call"` or `"tools/list"`. */
  readonly method: string;
  readonly id: string | number;
  /** The protocol revision, such as `"2026-07-28"`. */
  readonly revision: string;
  readonly transport: "http" | "stdio";
  /** What the client sent, as it sent it: secrets included. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The name of the tool, prompt, resource or template that it reached; undefined where there is none of the name. */
  readonly name: string | undefined;
  /** What its arguments are checked against. Members that are `writeOnly` are those tagged `@secret`. */
  readonly argumentsSchema: JsonSchema | undefined;
}

/**
 * How a call ended:
 *
 * - `ok`, or `failed`: the handler says that it could not do it (`ToolError`, `isError`)
 * - `refused`: before the handler began, for its name, its arguments, its caller or a limit
 * - `cancelled` by the client or with its connection, or `timeout`
 * - `internal-error`: with a `reference`
 * - `input-required`: it will come again with the answers (2026-07-28), or `task`: it goes on as a task
 */
export type Outcome =
  "ok" | "failed" | "refused" | "cancelled" | "timeout" | "internal-error" | "input-required" | "task";

/** The end of a call. */
export interface CallEnd {
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** The code of the JSON-RPC error that it is answered with. */
  readonly code?: number | undefined;
  /** What the client is told that went wrong. */
  readonly reason?: string | undefined;
  /** Under which the log tells what went wrong. */
  readonly reference?: string | undefined;
  /** What it is answered with, where a handler was reached. */
  readonly result?: object | undefined;
}

/** One call being observed. */
export interface Observation {
  /** Serves the call by `serve()`, for observers that have something to set up around it, and returns what that returns. */
  run?<Answer>(serve: () => Answer): Answer;
  /** Called once, when the answer is known, or given up. */
  end(end: CallEnd): void;
}

/** A request over HTTP that was refused before anybody looked for its method, so that it never became a call. */
export interface RefusedRequest {
  /** That of the response, such as 401. */
  readonly status: number;
  /** What the client is told. */
  readonly reason: string;
  readonly address?: string | undefined;
  /** Who sends it, where that was known by then. */
  readonly principal?: Principal | undefined;
  /** How many the observer was not told of since the one before. */
  readonly more?: number | undefined;
}

/** What observers are told of a server. */
export interface ObservedServer {
  readonly info: { readonly name: string; readonly version: string };
  readonly log: LogSink;
  /** How many sessions are open, and how many requests that last until somebody ends them. */
  open(): { sessions: number; streams: number };
}

/**
 * Sees every request to a server, and changes none: an audit, spans, metrics. What it throws is logged, and changes no
 * answer. Made by `audit`, `telemetry` and `metrics`, or by yourself.
 *
 * @example
 * const slow: Observer = {
 *   observe: ({ name }) => ({ end: ({ durationMs }) => void (durationMs > 1000 && console.warn(name, durationMs)) }),
 * };
 * defineServer({ observe: [slow] });
 */
export interface Observer {
  /** A request arrived. Undefined is for those that do not matter. */
  observe(call: ObservedCall): Observation | undefined;
  /**
   * A request over HTTP was refused before it became a call: for its credentials (but not for having none yet), its `Host`
   * or `Origin`, its body, headers that disagree with it, or because too many sessions are open or requests in progress.
   * Sixty a minute are told; of the others, their number comes with the next.
   */
  refused?(request: RefusedRequest): void;
  /** The server is made. */
  attach?(server: ObservedServer): void;
  /** The server starts to be served over HTTP by its command line. What this returns is called when it has stopped. */
  start?(): Promise<() => Promise<void>>;
}
