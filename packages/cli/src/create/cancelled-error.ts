/** Thrown when the user cancels a prompt, before anything has been written. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
}
