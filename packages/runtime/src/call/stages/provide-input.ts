import { isThenable, type Stage } from "./stage.js";

/** Lets a handler with a `Context` send questions to its client. They may end the run in place of a value. */
export const provideInput: Stage = (next, { handler, callsHandler }, { clientInput }) => {
  if (!handler.usesContext || !callsHandler) return next;
  return function provideRequester(call) {
    // A task has its own input requester. A middleware may run the handler several times.
    const requester = (call.inputRequester ??= clientInput.createRequester(call));
    const value = next(call);
    return isThenable(value) && requester.resolveOutcome !== undefined
      ? requester.resolveOutcome(value)
      : value;
  };
};
