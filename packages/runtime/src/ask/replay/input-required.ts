/** What a run comes to that waits for answers. */
export class InputRequired {
  /** As middleware sees it. */
  readonly resultType = "input_required";

  /** @param result the `InputRequiredResult` to be sent */
  constructor(readonly result: { inputRequests: Record<string, object>; requestState: string }) {}
}
