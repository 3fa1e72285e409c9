/** The outcome of a run that waits for answers. */
export class InputRequired {
  /** The type of the result that middleware receives. */
  readonly resultType = "input_required";

  /** @param result the `InputRequiredResult` to be sent */
  constructor(readonly result: { inputRequests: Record<string, object>; requestState: string }) {}
}
