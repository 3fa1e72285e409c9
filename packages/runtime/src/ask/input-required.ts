/** What a run comes to that waits for answers: the members of an `InputRequiredResult`. */
export class InputRequired {
  constructor(
    readonly inputRequests: Record<string, object>,
    readonly requestState: string,
  ) {}

  /** As JSON text without the braces. */
  get members(): string {
    const { inputRequests, requestState } = this;
    return JSON.stringify({ inputRequests, requestState }).slice(1, -1);
  }
}
