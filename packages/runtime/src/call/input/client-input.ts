import type { Limits } from "../../api/limits.js";
import type { Converters } from "../../data/conversion/converters.js";
import type { Application } from "../application/application.js";
import type { Validation } from "../application/validation.js";
import type { Call } from "../connection/call.js";
import type { SharedCalls } from "../durable/shared-calls.js";
import type { JoinedStore } from "../joined-store.js";
import type { InputRequester } from "../questions/question.js";
import type { Forms } from "../questions/served-form.js";

/** Requests input from clients on behalf of handlers, as the revision of each client requires. */
export interface ClientInput {
  readonly forms: Forms;
  /**
   * Creates the input requester of a call.
   *
   * @throws ProtocolError for a retry with a state or answers that do not belong to the request
   */
  createRequester(call: Call): InputRequester;
  /**
   * Sends the user to the URLs of a `UrlElicitationRequiredError`. Resolves to the questions that the client receives, or
   * rejects with the error that it receives.
   *
   * @returns undefined for any other error
   */
  requireUrl(call: Call, error: unknown): Promise<unknown> | undefined;
}

export interface ClientInputOptions {
  application: Application;
  validation: Validation;
  converters: Converters;
  limits: Limits;
  /** The server's name. Servers with different names cannot read its states, even if they share its keys. */
  serverName: string;
  /** See `readStateKeys`. */
  stateKeys: string | undefined;
  /** The state that processes share. */
  shared: Pick<JoinedStore, "effects" | "consumedStates"> | undefined;
  /** Returns the calls that other processes can continue, if there are any. */
  getCalls(): SharedCalls | undefined;
}

/**
 * Creates the input of clients.
 *
 * @throws Error if the validators do not belong to the forms, or if a key is too short
 */
export type CreateClientInput = (options: ClientInputOptions) => ClientInput;
