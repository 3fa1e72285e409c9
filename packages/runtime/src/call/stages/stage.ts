import type { CallResult, HandlerCall } from "../../api/middleware.js";
import type { CacheHint } from "../../data/results/cache-hints.js";
import type { Result, WriteResult } from "../../data/results/envelope.js";
import type { RejectOutput } from "../../data/results/output-check.js";
import type { SanitizeText } from "../../data/results/sanitize.js";
import type { Entry, ToolEntry } from "../../manifest.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import type { Revision } from "../../protocol/revisions.js";
import type { ClientInput } from "../input/client-input.js";
import type { Entries, ServedTool } from "../assembly/entries.js";
import type { Handler } from "../assembly/handlers.js";
import type { Settings } from "../assembly/settings.js";
import type { Validation } from "../application/validation.js";
import type { Call } from "../connection/call.js";
import type { CallCounts } from "../limits/call-counts.js";
import type { CallsInProgress } from "../limits/calls-in-progress.js";
import type { Subscriptions } from "../subscriptions/subscriptions.js";
import type { ServerTasks } from "../tasks/server-tasks.js";

/**
 * Serves a call, starting at one stage. Returns a promise only if there is something to wait for, so that other calls
 * return immediately.
 */
export type Serve<Value = unknown> = (call: Call) => Value | Promise<Value>;

/**
 * One stage of a call on its way to the handler. It may act before `next`, after it, or in its place. A server composes the
 * stages of each target once, when it starts. A stage that the target does not need returns `next`.
 *
 * @param next the following stages
 * @throws TypeError for options that cannot apply
 * @example
 * export const rejectAtNight: Stage = (next, { entry }) => {
 *   if (entry.scopes === undefined) return next;
 *   return function checkHour(call) {
 *     if (new Date().getHours() < 6) throw new ToolError("Come back in the morning.");
 *     return next(call);
 *   };
 * };
 */
export type Stage<Reached = Target> = (next: Serve, target: Reached, server: ServerParts) => Serve;

/** Composes stages around a function that serves calls. The first stage is the outermost. */
export function composeStages<Reached>(
  stages: readonly Stage<Reached>[],
  innermost: Serve,
  target: Reached,
  server: ServerParts,
): Serve {
  return stages.reduceRight((next, stage) => stage(next, target, server), innermost);
}

/**
 * Creates a step on the way from a handler's value to the text of the result. Returns undefined if the target does not
 * need it.
 */
export type ResultStep = (
  target: Target,
  server: ServerParts,
) => ((call: Call, value: unknown) => unknown) | undefined;

/** The tools of a server in search mode. */
export interface ToolSearch {
  /** The tools that clients see. */
  readonly listed: readonly Pick<ServedTool, "entry" | "handler">[];
  /**
   * Serves a call of one of the two tools of this mode. Returns undefined for all other tools.
   *
   * @param serveTool serves a call whose parameters name the tool itself
   */
  serve(call: Call, serveTool: Serve<string>): string | Promise<string> | undefined;
}

/** Creates the search mode of a server. */
export type CreateToolSearch = (served: readonly ServedTool[], server: ServerParts) => ToolSearch;

/** Returns whether a value is a promise, of any library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** The parts of a server that methods and stages use. */
export interface ServerParts {
  readonly settings: Settings;
  readonly entries: Entries;
  readonly validation: Validation;
  /** Absent if clients cannot subscribe to any changes. */
  readonly subscriptions: Subscriptions | undefined;
  /** Absent if no tool has tasks. */
  readonly tasks: ServerTasks | undefined;
  /** Requests input from clients on behalf of handlers. */
  readonly clientInput: ClientInput;
  /** Creates the check of the headers of a tool's calls. Absent if no tool has arguments in headers. */
  readonly createHeaderCheck: ((tool: ServedTool) => (call: Call) => void) | undefined;
  /** Creates the check of the size of a target's results. Absent if the server has no such limit. */
  readonly createResultLimit: ResultStep | undefined;
  /** Creates the search mode. Absent if the server lists all its tools. */
  readonly createToolSearch: CreateToolSearch | undefined;
  /** Creates the stage that downloads files in arguments. Absent if clients cannot send URLs of files. */
  readonly createDownloads: Stage | undefined;
  /** Creates the stage that lets observers see calls. Absent if there is no configuration that could contain one. */
  readonly createObservation: Stage<void> | undefined;
  /** Creates the stage that turns files in results into content. Absent if no result has files. */
  readonly createFileResults: Stage | undefined;
  readonly write: WriteResult;
  /** Removes invisible characters from the text of a result. */
  readonly sanitizeResult: (result: Result) => Result;
  /** Removes invisible characters from text. */
  readonly sanitizeText: SanitizeText;
  /**
   * Reports an error in the author's code. Returns its message for the author, or a public message with a reference.
   *
   * @param subject names what failed, such as `tool "current"`
   */
  reportError(error: unknown, subject: string, call?: Call): string;
  /** Returns the message for what a handler threw: that of a `ToolError`, otherwise the result of `reportError`. */
  formatFailure(error: unknown, subject: string, call: Call): string;
  readonly inProgress: CallsInProgress;
  /** Counts calls for rate limits. */
  readonly counts: CallCounts;
}

/**
 * The target of a call: a tool, a prompt, a resource, or the completion of an argument. It contains everything that is
 * specific to one family of methods: how to read arguments, and what a value or an exception becomes.
 */
export interface Target {
  readonly entry: Pick<
    Entry<HandlerCall["definition"]>,
    "definition" | "scopes" | "rateLimit" | "timeoutMs" | "files"
  > &
    Pick<ToolEntry, "maxResultChars">;
  readonly handler: Handler;
  /** The schema of the arguments, for observers. */
  readonly arguments?: { readonly schema: JsonSchema };
  /** The kind and name of the declaration, such as `tool "book"` or `resource "note://{id}"`. */
  readonly subject: string;
  /** Whether the call reaches the author's method. Completions do not, so stages for that method do not apply to them. */
  readonly callsHandler: boolean;
  /** The member that all results of this kind have. */
  readonly member: "content" | "messages" | "contents" | "completion";
  /** Set if calls may become tasks. */
  readonly task?: Parameters<ServerTasks["serve"]>[1] | undefined;
  /** Validates and converts the arguments. What it throws goes to `toFailure`. */
  readArguments(call: Call): Record<string, unknown>;
  /** Calls the author's method with the arguments of the call. */
  readonly invoke: Serve;
  /** Returns the subject of one call for messages, such as `resource "note://7"`. Default: `subject`. */
  describe?(call: Call): string;
  /** Returns the error for a caller that must not know of the target. */
  createNotFoundError(call: Call): Error;
  /**
   * Builds the result from the handler's value.
   *
   * @param reject receives problems with the value; without it, nothing is validated
   */
  toResult(call: Call, value: unknown, revision: Revision, reject: RejectOutput | undefined): Result;
  /**
   * Builds the result from what a middleware returns, and validates it like the handler's own. Default: `toResult`.
   *
   * @param handlerResult the handler's result, if it was called
   */
  replaceResult?(
    call: Call,
    result: CallResult,
    handlerResult: CallResult | undefined,
    revision: Revision,
    reject: RejectOutput | undefined,
  ): Result;
  /**
   * Builds the result for an exception.
   *
   * @throws ProtocolError for an exception that is not reported in a result
   */
  toFailure(call: Call, error: unknown): Result;
  /** Returns the time for which clients may cache the result. Absent if they must not. */
  getCacheHint?(call: Call): CacheHint;
}
