import type { Call } from "../connection/call.js";
import { getBinding } from "../../access/principal.js";
import { createForms } from "../questions/forms.js";
import type { InputRequester } from "../questions/question.js";
import type { ClientInput, ClientInputOptions } from "./client-input.js";
import { ReplayInputRequester } from "./replay/replay-input-requester.js";
import { LegacyInputRequester } from "./legacy-input-requester.js";
import { requestUrl } from "./request-url.js";
import { MemoryConsumedStates } from "./replay/consumed-states.js";
import { createStateCipher } from "./replay/state.js";
import { digest } from "../../access/encryption/digest.js";
import { readStateKeys } from "../../access/encryption/encryption.js";
import { isUrlRequired, type UrlRequired } from "./is-url-required.js";

/**
 * Creates the input of a server whose handlers declare a `Context`.
 *
 * @throws Error if the validators do not belong to the forms, or if a key is too short
 */
export function createClientInput({
  application,
  validation,
  converters,
  limits,
  serverName,
  stateKeys,
  shared,
  getCalls,
}: ClientInputOptions): ClientInput {
  const forms = createForms(application, validation, converters);
  const cipher = createStateCipher(readStateKeys(stateKeys), limits.inputTimeoutMs);
  const replayOptions = {
    forms,
    cipher,
    inputTimeoutMs: limits.inputTimeoutMs,
    effects: shared?.effects,
    consumedStates: shared?.consumedStates ?? new MemoryConsumedStates(),
  };
  const createReplayRequester = (call: Call): InputRequester => {
    try {
      return new ReplayInputRequester(call, {
        ...replayOptions,
        binding: () => createStateBinding(call, serverName),
      });
    } catch (error) {
      // The state or the answers of the request are not valid, so the handler does not run.
      if (call.notes) call.notes.outcome = "rejected";
      throw error;
    }
  };
  const createRequester = (call: Call): InputRequester =>
    call.revision.clientRequests.by === "request"
      ? (getCalls()?.createRequester(call) ?? new LegacyInputRequester(call, forms, limits.inputTimeoutMs))
      : createReplayRequester(call);
  const askForUrl = async (call: Call, error: UrlRequired): Promise<unknown> => {
    const requester = (call.inputRequester ??= createRequester(call));
    const request = requestUrl(call, error);
    return requester.resolveOutcome === undefined ? request : requester.resolveOutcome(request);
  };
  return {
    forms,
    createRequester,
    requireUrl: (call, error) => (isUrlRequired(error) ? askForUrl(call, error) : undefined),
  };
}

/** Creates the binding of a state, which can be read only for the same principal and the same request. */
function createStateBinding(call: Call, serverName: string): string {
  const { name, uri, arguments: args } = call.params;
  const request = digest([call.method, name ?? uri ?? null, args ?? {}]);
  return JSON.stringify([serverName, getBinding(call.peer.principal), request]);
}
