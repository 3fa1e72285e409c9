import { Option } from "commander";

/** The value of the option `--verbose`. */
export interface VerboseOption {
  verbose?: boolean;
}

/** The end of the description for commands that reuse the compilation of an earlier run or of `tenon dev`. */
export const REPORTS_REUSE = ", and report what was compiled, why, and how long it took";

/**
 * Creates the option `--verbose`.
 *
 * @param suffix the end of its description
 */
export function createVerboseOption(suffix = ""): Option {
  return new Option("--verbose", `include Tenon's stack frames in errors${suffix}`);
}

/** Passes `--verbose` to the servers of the command, which read it from the environment. */
export function applyVerbose({ verbose = false }: VerboseOption): void {
  if (verbose) process.env["TENON_VERBOSE"] = "1";
}
