/**
 * Returns the number of this process among those of `--workers`, starting at 1; undefined in a server with one process.
 * A replacement has the number of the process that it replaces.
 */
export function getWorkerNumber(): number | undefined {
  // Child processes of a handler inherit the variable, but have no channel to the primary process.
  const number = process.send === undefined ? undefined : process.env.TENON_WORKER;
  return number === undefined ? undefined : Number(number);
}
