/** The outcome of a run that waits for answers. */
export class InputRequired {
  /** For middleware, which receives this object. */
  readonly resultType = "input_required";

  /** @param result the `InputRequiredResult` to be sent */
  constructor(readonly result: { inputRequests: Record<string, object>; requestState: string }) {}
}
