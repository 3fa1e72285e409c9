/**
 * Resource usage of a process, from /proc; `undefined` on systems without it.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";

/** Returns the processor time of all threads in microseconds. @param {number} pid @returns {number | undefined} */
export function cpuMicros(pid) {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
    }
    return nanoseconds / 1000;
  } catch {
    return undefined;
  }
}

/** Returns the current memory (`VmRSS`) or its peak (`VmHWM`) in MiB. @param {number} pid @param {"VmRSS" | "VmHWM"} which */
export function residentMebibytes(pid, which) {
  try {
    const match = new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return match === null ? undefined : Number(match[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** Returns the IDs of the processes that a process has started. @param {number} pid @returns {number[]} */
export function findChildren(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    return children.split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
