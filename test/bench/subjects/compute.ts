import { Tool } from "@tenon/runtime";
import { compute } from "./workload.mjs";

export class Compute {
  /** Works for half a millisecond. */
  @Tool({ readOnly: true })
  compute(seed: number): string {
    return compute(seed);
  }
}
