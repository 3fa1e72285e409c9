import { setFlagsFromString } from "node:v8";

/**
 * By major version of V8, flags that make it wait several times longer before it optimizes a function. Only
 * of versions that have been tried: V8 complains of flags that it does not know.
 */
const PATIENCE: Readonly<Record<string, readonly string[]>> = {
  // Node 20; there, the young generation also grows in one step instead of several, since it will be filled.
  "11": ["--interrupt-budget=300000", "--semi-space-growth-factor=8"],
  // Node 22
  "12": ["--invocation-count-for-maglev=2000", "--invocation-count-for-turbofan=30000"],
  // Node 24
  "13": ["--invocation-count-for-maglev=2000", "--invocation-count-for-turbofan=30000"],
};

/**
 * Lets V8 optimize only what runs for long. A compilation takes a second or two, in which most of TypeScript is
 * run a few times: optimizing it costs a quarter of the processor time and is hardly used. What runs on and on,
 * as in `tenon dev`, is optimized all the same, a little later.
 *
 * Has to come before anything is compiled: V8 takes no code that was kept under other flags.
 */
export function optimizeLate(): void {
  const [major = ""] = process.versions.v8.split(".");
  for (const flag of PATIENCE[major] ?? []) setFlagsFromString(flag);
}
