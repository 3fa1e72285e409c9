import type { Caller, Principal } from "./caller.js";
import type { LogSink } from "./log.js";
import type { JsonSchema } from "../protocol/json-schema.js";

/** A request as an observer sees it. */
export interface ObservedCall extends Caller {
  /** Method of the request, such as `"tools/call"` or `"tools/list"`. */
  readonly method: string;
  /** ID of the request, which the client chose. */
  readonly id: string | number;
  /** Protocol revision, such as `"2026-07-28"`. */
  readonly revision: string;
  /** The transport that received the request. */
  readonly transport: "http" | "stdio";
  /** Parameters as the client sent them, including secrets. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Name of the tool, prompt, resource, or template, or undefined if it does not exist. */
  readonly name: string | undefined;
  /**
   * Schema of the arguments. `writeOnly` members have the tag `@secret`. For the URI of an unknown resource, this is the
   * schema of a template with secret variables, if there is one: the client may have meant it.
   */
  readonly argumentsSchema: JsonSchema | undefined;
  /** The secrets of the call so far: `@secret` arguments, and tokens from `ctx.exchange`. Mask them in what you record. */
  readonly secrets: readonly string[];
}

/**
 * How a call ended:
 *
 * - `ok`: the request succeeded
 * - `failed`: the handler reported an error (`ToolError`, `isError`)
 * - `rejected`: the handler was not called, because of the call's name, arguments, caller, or a limit
 * - `cancelled`: the client cancelled the call, or its connection ended
 * - `timeout`: the time limit of the call passed
 * - `internal-error`: the log contains the error under the `reference`
 * - `input-required`: the client calls again with answers (2026-07-28)
 * - `task`: the call continues as a task
 */
export type Outcome =
  "ok" | "failed" | "rejected" | "cancelled" | "timeout" | "internal-error" | "input-required" | "task";

/** A summary of a call that has ended. */
export interface CallSummary {
  /** How the call ended. */
  readonly outcome: Outcome;
  /** Time from the arrival of the request to the end of the call, in milliseconds. */
  readonly durationMs: number;
  /** Code of the JSON-RPC error in the response. */
  readonly code?: number | undefined;
  /** Error message that the client receives. It may contain the `secrets` of the call. */
  readonly reason?: string | undefined;
  /** Reference of the error in the log. */
  readonly reference?: string | undefined;
  /** Result, if a handler ran. It may contain the `secrets` of the call. */
  readonly result?: object | undefined;
}

/** The observation of one call. */
export interface Observation {
  /** Calls `serve()` and returns its result. Implement it to set up a context around the call. */
  run?<Answer>(serve: () => Answer): Answer;
  /** Called once, when the call has ended. */
  end(summary: CallSummary): void;
}

/** An HTTP request that was rejected before its method was known, so that it never became a call. */
export interface RejectedRequest {
  /** HTTP status of the response, such as 401. */
  readonly status: number;
  /** Error message that the client receives. */
  readonly reason: string;
  /** Address of the caller, as in `Caller`. */
  readonly address?: string | undefined;
  /** The caller, if it was known by then. */
  readonly principal?: Principal | undefined;
  /** Number of unreported rejected requests since the previous report. */
  readonly suppressedCount?: number | undefined;
}

/** The server, as an observer sees it. */
export interface ObservedServer {
  /** Name and version of the server. */
  readonly info: { readonly name: string; readonly version: string };
  /** Writes to the log of the server. */
  readonly log: LogSink;
  /** Returns the number of open sessions, and of open `subscriptions/listen` streams. */
  counts(): { sessions: number; streams: number };
}

/**
 * Observes every request without changing it: audits, spans, metrics. Errors that it throws are logged and do not
 * affect the response. `audit`, `telemetry`, and `metrics` create observers.
 *
 * @example
 * const slow: Observer = {
 *   observe: ({ name }) => ({ end: ({ durationMs }) => void (durationMs > 1000 && console.warn(name, durationMs)) }),
 * };
 * defineServer({ observe: [slow] });
 */
export interface Observer {
  /** Called when a request arrives. Return undefined to ignore it. */
  observe(call: ObservedCall): Observation | undefined;
  /**
   * Called when an HTTP request is rejected before it becomes a call: because of its `Host`, `Origin`, or body, invalid
   * credentials (but not missing ones), contradictory headers, or too many sessions or requests. At most sixty a minute
   * are reported; the next report contains the number of requests that were not reported.
   */
  requestRejected?(request: RejectedRequest): void;
  /** Called when the server has been created. */
  attach?(server: ObservedServer): void;
  /**
   * Called when the server is started from the command line with `--http` or `--tasks-only`. The returned function is
   * called after the server has stopped.
   */
  start?(): Promise<() => Promise<void>>;
}
