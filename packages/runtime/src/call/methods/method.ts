import {
  createInvalidParamsError,
  isNotFoundError,
  isProtocolError,
  ProtocolError,
} from "../../api/errors.js";
import type { ListName } from "../../api/notifier.js";
import type { SessionChange } from "../../protocol/agreement.js";
import * as ErrorCode from "../../protocol/error-codes.js";
import type { Revision } from "../../protocol/revisions.js";
import type { ServerCapabilities } from "../../protocol/specification.js";
import type { Call } from "../connection/call.js";
import type { Session } from "../connection/session.js";
import type { Serve, ServerParts } from "../stages/stage.js";
import type { AnnouncedChanges } from "../subscriptions/subscriptions.js";

/** A function that serves one request. Returns the result as JSON text, or a promise if there is something to wait for. */
export type Method = Serve<string>;

/** Methods that belong together, and the capability that announces them. */
export interface MethodFamily {
  /** Returns the methods by name; none if the server has no entries for them. */
  createMethods(server: ServerParts): Record<string, Method>;
  /**
   * Returns the capabilities that announce the methods.
   *
   * @param announced the changes of which the client can be notified; undefined if it cannot be
   */
  getCapabilities?(
    server: ServerParts,
    revision: Revision,
    announced: AnnouncedChanges | undefined,
  ): ServerCapabilities | undefined;
}

/** Returns the capability of a list. */
export function createListCapability(
  announced: AnnouncedChanges | undefined,
  list: ListName,
): { listChanged?: boolean } {
  return announced?.lists.has(list) === true ? { listChanged: true } : {};
}

/**
 * Throws the error of a failed prompt or resource for the client. Protocol errors and messages of a `ToolError` stay as they
 * are; other errors become a public message. A `NotFoundError` means that an argument is invalid.
 */
export function throwHandlerFailure(
  { formatFailure }: Pick<ServerParts, "formatFailure">,
  error: unknown,
  subject: string,
  call: Call,
): never {
  if (isProtocolError(error)) throw error;
  if (isNotFoundError(error)) throw createInvalidParamsError(error.message);
  throw new ProtocolError(ErrorCode.InternalError, formatFailure(error, subject, call));
}

/** Returns the result of a method after its change to the session is stored for other processes. */
export function respondAfterStoring(
  { peer }: Session,
  change: SessionChange,
  result: string,
): string | Promise<string> {
  const stored = peer.remember?.(change);
  return stored === undefined ? result : stored.then(() => result);
}
