import { PROFILES } from "@tenon/runtime/manifest";
import { Option } from "commander";

/** Creates the option `--profile`. */
export function createProfileOption(): Option {
  return new Option("--profile <name>", "adapt the listed schemas to the clients of this profile").choices(
    PROFILES,
  );
}
