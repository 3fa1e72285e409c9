import type { Handler } from "./handlers.js";

/** A handler of the runtime itself, without a method of an author: every caller may call it. */
export const OWN_HANDLER: Omit<Handler, "invoke"> = {
  options: {},
  owner: {},
  usesContext: false,
  canBeDisabled: false,
  isEnabled: () => true,
  authorizesArguments: false,
  allows: () => true,
};
