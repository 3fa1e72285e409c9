import { Tool } from "@tenon/runtime";
import { SECRET } from "./workload.mjs";

export class Probes {
  /** Fails. */
  @Tool()
  fail(): string {
    throw new Error(SECRET);
  }

  /** Returns text although its type is a number. */
  @Tool()
  promise(): { count: number } {
    return { count: "many" as unknown as number };
  }

  /** Prints. */
  @Tool()
  print(): string {
    console.log("Hello!");
    return "printed";
  }
}
