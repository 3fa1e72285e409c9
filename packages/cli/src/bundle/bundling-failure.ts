import { formatMessages, type BuildFailure } from "esbuild";
import { Failure } from "../terminal/failure.js";

/** Converts an error from esbuild to a failure that lists every build error. Returns any other error unchanged. */
export async function toBundlingFailure(error: unknown, color: boolean): Promise<unknown> {
  if (!(error instanceof Error) || !("errors" in error)) return error;
  const messages = await formatMessages((error as BuildFailure).errors, { kind: "error", color });
  return new Failure(`The project cannot be bundled.\n\n${messages.join("").trimEnd()}`, { cause: error });
}
