import { AsyncLocalStorage } from "node:async_hooks";

/** A step whose effect is in progress. */
interface CurrentStep {
  /** The call of the handler. */
  readonly call: object;
  readonly key: string;
}

const currentStep = new AsyncLocalStorage<CurrentStep>();

/** Performs an effect, so that `checkOutsideSteps` recognizes the questions that it asks. */
export function performInStep<T>(call: object, key: string, perform: () => T): T {
  return currentStep.run({ call, key }, perform);
}

/**
 * Checks that the handler of a call does not ask a question in a step. For a client that answers with its next request, the
 * step would wait for the answer, and the question for the end of the step.
 *
 * @throws Error for a question in a step, in every revision
 */
export function checkOutsideSteps(call: object): void {
  const step = currentStep.getStore();
  if (step?.call === call)
    throw new Error(
      `The step "${step.key}" cannot ask the client: the handler runs again with the answer, but only after the step has ` +
        "ended. Ask before the step, or after it.",
    );
}
