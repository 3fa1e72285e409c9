import { formatMessages, type BuildFailure } from "esbuild";
import { Failure } from "../terminal/failure.js";

/** What esbuild could not do, as a failure that shows every reason; any other error as it is. */
export async function bundlingFailure(error: unknown, color: boolean): Promise<unknown> {
  if (!(error instanceof Error) || !("errors" in error)) return error;
  const messages = await formatMessages((error as BuildFailure).errors, { kind: "error", color });
  return new Failure(`The project cannot be bundled.\n\n${messages.join("").trimEnd()}`, { cause: error });
}
