/**
 * A reason to stop that the user can do something about. The program prints the message and the hint without
 * a stack and exits with `exitCode`; any other exception is a defect of Tenon.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly hint: string | undefined;
  /** 1 for a failure, 2 for a command line that makes no sense. */
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { hint?: string; exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.hint = options.hint;
    this.exitCode = options.exitCode ?? 1;
  }
}
