import { formatMessages, type BuildFailure } from "esbuild";
import { Failure } from "../terminal/failure.js";

/**
 * Converts an error from esbuild to a failure that lists every build error. Returns any other error unchanged.
 *
 * @param problem the first sentence of the message
 */
export async function toBundlingFailure(
  error: unknown,
  color: boolean,
  problem = "The project cannot be bundled.",
): Promise<unknown> {
  if (!(error instanceof Error) || !("errors" in error)) return error;
  const messages = await formatMessages((error as BuildFailure).errors, { kind: "error", color });
  return new Failure(`${problem}\n\n${messages.join("").trimEnd()}`, { cause: error });
}
