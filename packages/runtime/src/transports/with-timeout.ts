/**
 * Waits for some work, but at most so many milliseconds.
 *
 * @returns true when the work ended in time
 */
export async function withTimeout(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const ended = work.then(() => true);
  try {
    return await Promise.race([ended, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
