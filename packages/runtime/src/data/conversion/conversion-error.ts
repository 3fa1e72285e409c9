import { describeFirst } from "../explanations/issues.js";
import { joinPath } from "../explanations/paths.js";

/**
 * Value that cannot be converted: a string that cannot be parsed, such as `"soon"` for a `Date`, or a value that JSON
 * cannot represent, such as an invalid `Date`.
 */
export interface ConversionFailure {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** The end of a sentence about the value, such as `"must be a date"`. */
  readonly problem: string;
}

/** Error that lists everything that could not be converted. */
export class ConversionError extends Error {
  override name = "ConversionError";

  constructor(readonly failures: readonly ConversionFailure[]) {
    const issues = describeFirst(failures, ({ path, problem }) => {
      return `${path.length > 0 ? `\`${joinPath(path)}\`` : "the value"} ${problem}`;
    });
    super(issues.join("; "));
  }
}
