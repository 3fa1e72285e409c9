import type { Asking } from "../ask/asking.js";
import { InputRequired } from "../ask/input-required.js";
import type { Call } from "../call.js";
import type { Connection } from "../connection.js";
import type { Limits, ServerConfig } from "../define-server.js";
import type { Entries } from "../entries.js";
import type { Handler } from "../handlers.js";
import { isProtocolError, isToolError, ProtocolError } from "../errors.js";
import { ErrorCode } from "../jsonrpc.js";
import type { Implementation, ServerCapabilities } from "../protocol.js";
import type { Revision } from "../revisions.js";
import type { Seal } from "../seal.js";
import type { Announced, Subscriptions } from "../subscriptions.js";
import type { TaskSupport } from "../tasks/serve-task.js";
import type { TaskStore } from "../tasks/task-store.js";

/** Serves one request: the result as JSON text, at once where nothing has to be waited for. */
export type Method = (call: Call) => string | Promise<string>;

/** What methods are made from. */
export interface MethodSource {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  readonly config: ServerConfig;
  readonly entries: Entries;
  readonly limits: Limits;
  /** What clients can be told of. */
  readonly announced: Announced;
  /** Absent where nothing is announced. */
  readonly subscriptions: Subscriptions | undefined;
  /** Absent where no tool has tasks. */
  readonly tasks: TaskStore | undefined;
  /** The most entries in one list reply. */
  readonly pageSize: number;
  /** Calls a handler, in such a way that it can ask the client if it has any means to. */
  readonly run: Asking["run"];
  /** Serves a call of a tool with tasks. */
  serveTask(call: Call, task: TaskSupport, run: () => string | Promise<string>): string | Promise<string>;
  sealOf(revision: Revision): Seal;
  capabilitiesOf(revision: Revision, connection: Connection): ServerCapabilities;
  /**
   * The words for an error of the author's code: its own when the peer is its author, else a neutral sentence
   * under a reference. `subject` names what failed, such as `tool "current"`.
   */
  explain(error: unknown, subject: string, call: Call): string;
}

/** Runs the handler of a request, or sends the client what the handler has to ask it first. */
export function serveHandler(
  source: MethodSource,
  call: Call,
  handler: Handler,
  args: () => Record<string, unknown>,
  onValue: (value: unknown) => string,
  onError: (error: unknown) => string,
): string | Promise<string> {
  return settle(
    () => source.run(call, handler, args()),
    (value) =>
      value instanceof InputRequired
        ? source.sealOf(call.revision).inputRequired(value.members)
        : onValue(value),
    onError,
  );
}

/** Waits for a handler's value only when there is something to wait for. */
export function settle(
  produce: () => unknown,
  onValue: (value: unknown) => string,
  onError: (error: unknown) => string,
): string | Promise<string> {
  try {
    const value = produce();
    return isThenable(value) ? Promise.resolve(value).then(onValue).catch(onError) : onValue(value);
  } catch (error) {
    return onError(error);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/**
 * Throws what a client may read of a failed prompt or resource: protocol errors and the words of a `ToolError`
 * as they are, everything else as a neutral sentence.
 */
export function handlerFailure(source: MethodSource, error: unknown, subject: string, call: Call): never {
  if (isProtocolError(error)) throw error;
  const message = isToolError(error) ? error.message : source.explain(error, subject, call);
  throw new ProtocolError(ErrorCode.InternalError, message);
}
