/**
 * Waits for some work, but at most so many milliseconds; for what is done already where there are none left.
 *
 * @returns true when the work ended in time
 */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    // Node 24 warns of less than nothing.
    timer = setTimeout(resolve, Math.max(0, ms), false);
  });
  try {
    return await Promise.race([work.then(() => true), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
