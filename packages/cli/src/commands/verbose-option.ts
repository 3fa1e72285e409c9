import { Option } from "commander";

/** The value of the option `--verbose`. */
export interface VerboseOption {
  verbose?: boolean;
}

/** Creates the option `--verbose`. */
export function createVerboseOption(): Option {
  return new Option("--verbose", "include Tenon's stack frames in errors");
}

/** Passes `--verbose` to the servers of the command, which read it from the environment. */
export function applyVerbose({ verbose = false }: VerboseOption): void {
  if (verbose) process.env["TENON_VERBOSE"] = "1";
}
