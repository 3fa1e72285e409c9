/**
 * A failure that the user can fix. The program prints the message and the hint without a stack and exits with `exitCode`.
 * Any other exception is a bug in Tenon.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly hint: string | undefined;
  /** 1 for a failure, 2 for an invalid command line, or the code of the signal that ended the command. */
  readonly exitCode: number;

  constructor(message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
