import { Tool } from "@tenon/runtime";
import { add, document, search, type SearchArguments, type SearchResult } from "./workload.mjs";

export class Bench {
  /**
   * Adds two numbers.
   * @param a First number
   * @param b Second number
   */
  @Tool({ readOnly: true })
  add(a: number, b: number): string {
    return add(a, b);
  }

  /** Searches the catalog. */
  @Tool({ readOnly: true })
  search(args: SearchArguments): SearchResult {
    return search(args);
  }

  /** Returns a document of 64 KiB. */
  @Tool({ readOnly: true })
  document(): string {
    return document();
  }
}
