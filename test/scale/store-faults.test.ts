/** Some of the faults of Redis that `npm run chaos` causes while calls, tasks, streams, and subscriptions are open. */
import { describe, expect, test } from "vitest";
import { missingRedis } from "../support/redis-server.mjs";
import { runStoreFault, STORE_FAULTS, type StoreFaultResult } from "./chaos/store-faults.mjs";
import { describeStoreFault } from "./chaos/summary.mjs";

const missing = missingRedis();

/** Causes a fault and expects it to break no guarantee. */
async function causeFault(name: string): Promise<StoreFaultResult> {
  const fault = STORE_FAULTS.find((each) => each.name === name);
  if (fault === undefined) throw new Error(`There is no fault "${name}".`);
  const result = await runStoreFault(process.env["SCALE_PROGRAM"] ?? "", fault);
  expect(result.problems, describeStoreFault(result)).toEqual([]);
  return result;
}

describe.skipIf(missing !== undefined)("work that is open when Redis", () => {
  describe.concurrent("is away", () => {
    test.each(["stops for 9 s", "does not respond for 8 s"])("continues after it %s", async (name) => {
      const { pieces } = await causeFault(name);
      expect(pieces.filter(({ outcome }) => outcome !== "done")).toEqual([]);
    });
  });

  describe.concurrent("loses its data", () => {
    test.each(["is emptied", "restarts without its data", "evicts everything"])(
      "ends with a result or an error within ten seconds after it %s",
      async (name) => {
        const { pieces } = await causeFault(name);
        // What is stored is lost, and the rest continues.
        for (const outcome of ["done", "failed"])
          expect(pieces.filter((piece) => piece.outcome === outcome)).not.toEqual([]);
      },
    );
  });
});
