/**
 * The number of this process among those of `--workers`, from 1 on; what replaces one has its number. `undefined` in a
 * server of one process.
 */
export function workerNumber(): number | undefined {
  // What a handler starts has the variable, too, but no way to the first process.
  const number = process.send === undefined ? undefined : process.env.TENON_WORKER;
  return number === undefined ? undefined : Number(number);
}
