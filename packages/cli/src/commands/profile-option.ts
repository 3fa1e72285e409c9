import { PROFILES } from "@tenon/runtime/manifest";
import { Option } from "commander";

/** `--profile`, which several commands have. */
export function profileOption(): Option {
  return new Option("--profile <name>", "which clients to write the listed schemas for").choices(PROFILES);
}
