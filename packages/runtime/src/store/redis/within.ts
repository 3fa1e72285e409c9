/** @throws Error when the work has not ended within so many milliseconds; it goes on, and its end changes nothing */
export function within<Value>(ms: number, work: Promise<Value>, problem: string): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(problem)), ms);
    const settle =
      <Result>(end: (result: Result) => void) =>
      (result: Result): void => {
        clearTimeout(timer);
        end(result);
      };
    work.then(settle(resolve), settle(reject));
  });
}

/** Resolves after so many milliseconds; the process does not stay for it. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
