/**
 * Waits for work, but at most this many milliseconds. With less than zero, only work that is already done is in time.
 *
 * Unlike the timer of `AbortSignal.timeout()`, this one is cleared when the work ends, and keeps the process alive
 * until then.
 *
 * @returns whether the work ended in time
 */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    // Node 24 warns about negative delays.
    timer = setTimeout(resolve, Math.max(0, ms), false);
  });
  try {
    return await Promise.race([work.then(() => true), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the result of work.
 *
 * @param problem the message of the error
 * @throws Error if it takes longer than this many milliseconds. The work continues, but its outcome is ignored
 */
export async function waitForResult<Value>(
  ms: number,
  work: Promise<Value>,
  problem: string,
): Promise<Value> {
  if (await withTimeout(ms, work)) return work;
  throw new Error(problem);
}
