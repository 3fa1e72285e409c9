import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects the garbage of this process, so that the objects in use can be counted. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // The second round finishes the work that the first left to other threads.
  collect();
  collect();
}
