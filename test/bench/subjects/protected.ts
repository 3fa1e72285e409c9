import { Tool } from "@tenon/runtime";
import { add } from "./workload.mjs";

export class Protected {
  /**
   * Adds two numbers, for whoever was granted to.
   * @param a First number
   * @param b Second number
   */
  @Tool({ readOnly: true, scopes: ["numbers:read"] })
  addScoped(a: number, b: number): string {
    return add(a, b);
  }
}
