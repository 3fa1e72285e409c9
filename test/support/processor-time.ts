import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe } from "vitest";

/** Defines tests that measure other processes. On systems without `/proc`, they are skipped with the reason in the name. */
export function describeMeasured(name: string, define: () => void): void {
  if (process.platform === "linux") describe(name, define);
  else
    describe.skip(
      `${name} (skipped: only Linux reports the processor time of other processes, in /proc)`,
      define,
    );
}

/** The unit of processor time in Linux, which does not depend on its clock: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const TICKS_PER_SECOND = 100;

/** More than a server needs to start or to serve a request, and little for a process that spins. */
const MAX_SECONDS = 6;

/** Returns the seconds of processor time that a process has used so far; `undefined` if it has ended. */
export function processorSeconds(pid: number): number | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses, which may contain any character.
  const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if ("ZX".includes(state)) return undefined;
  return (Number(fields[10]) + Number(fields[11])) / TICKS_PER_SECOND;
}

/**
 * Waits for something that a process should do, unless the process spins meanwhile. A process that spins is detected
 * by its processor time, however slow the machine is.
 *
 * @param wanted should settle when the process ends, too
 * @param seconds how much processor time the process may use meanwhile
 * @returns the awaited value, or `"spins"`
 */
export async function unlessItSpins<T>(
  pid: number,
  wanted: Promise<T>,
  seconds = MAX_SECONDS,
): Promise<T | "spins"> {
  const waiting = new AbortController();
  const watching = async (): Promise<T | "spins"> =>
    (await watch(pid, seconds, waiting.signal)) === "spins" ? "spins" : wanted;
  try {
    return await Promise.race([wanted, watching()]);
  } finally {
    waiting.abort();
  }
}

/** Waits until a process has exited, even if this process has not started it. */
export function exitUnlessItSpins(pid: number): Promise<"exited" | "spins"> {
  return watch(pid, MAX_SECONDS, new AbortController().signal);
}

/** Waits until the process has exited, or has used this much more processor time. */
async function watch(pid: number, seconds: number, signal: AbortSignal): Promise<"exited" | "spins"> {
  const before = processorSeconds(pid) ?? 0;
  while (!signal.aborted) {
    const now = processorSeconds(pid);
    if (now === undefined) return "exited";
    if (now - before >= seconds) return "spins";
    await delay(20);
  }
  return "exited";
}

/** Maximum processor time of an idle process within 300 ms; a process that spins uses at least half of that time. */
const IDLE_SECONDS = 0.15;

/** Waits until an idle process uses no processor time. A process that spins never does. */
export function untilIdle(pid: number): Promise<"idle" | "exited" | "spins"> {
  const idle = async (): Promise<"idle" | "exited"> => {
    for (;;) {
      const before = processorSeconds(pid);
      await delay(300);
      const after = processorSeconds(pid);
      if (before === undefined || after === undefined) return "exited";
      if (after - before < IDLE_SECONDS) return "idle";
    }
  };
  return unlessItSpins(pid, idle());
}
