import type { ClientInput, ClientInputOptions } from "./client-input.js";
import { createMissingFeatureError } from "../application/lookup.js";
import { findInputFactory } from "./is-url-required.js";

/** Creates the input of a server whose handlers declare no `Context`: they can only throw `UrlElicitationRequiredError`. */
export function createUrlOnlyInput(options: ClientInputOptions): ClientInput {
  let clientInput: ClientInput | undefined;
  return {
    forms: { derived: new Map(), validation: options.validation },
    createRequester: () => {
      throw createMissingFeatureError("requests input");
    },
    requireUrl: (call, error) => {
      clientInput ??= findInputFactory(error)?.(options);
      return clientInput?.requireUrl(call, error);
    },
  };
}
