import type { Limits } from "../api/limits.js";
import type { Application } from "../assembly/application.js";
import type { Invoke } from "../assembly/handlers.js";
import type { Invocation } from "../connection/invocation.js";
import type { SharedCalls } from "../connection/shared-calls.js";
import type { Shared } from "../replicas/sharing.js";
import type { Forms } from "./questions/served-form.js";

/** How handlers ask the client, in the way of its revision. */
export interface Asking {
  readonly forms: Forms;
  /** A retry that brings a state or answers which do not belong to the request fails with a `ProtocolError`. */
  readonly invoke: Invoke;
  /** Asks for what a handler without a context failed for want of (`isUrlRequired`). */
  requireUrl(invocation: Invocation, error: unknown): unknown;
}

export interface AskingOptions {
  application: Application;
  limits: Limits;
  /** The server's name: instances of one server may share keys, different servers must not read each other's states. */
  serverName: string;
  /** See `readStateKeys`. */
  stateKeys: string | undefined;
  /** What is kept for other processes. */
  shared: Pick<Shared, "effects" | "spentStates"> | undefined;
  /** Calls with which other processes can go on, once there are any. */
  calls(): SharedCalls | undefined;
}

/** @throws Error when forms and validators do not belong together, or a key is too short. */
export type CreateAsking = (options: AskingOptions) => Asking;
