/**
 * Goes on with what `produce` gives, or with what it throws: at once, unless there is something to wait for.
 * A call that waits for nothing is answered without a promise, so that answers keep the order of such calls.
 *
 * @param onValue what it throws goes to `onError` as well
 * @example
 * settle(() => 1, (value) => String(value), () => "failed") // "1"
 */
export function settle<Value>(
  produce: () => unknown,
  onValue: (value: unknown) => Value,
  onError: (error: unknown) => Value | Promise<Value>,
): Value | Promise<Value> {
  try {
    const value = produce();
    return isThenable(value) ? Promise.resolve(value).then(onValue).catch(onError) : onValue(value);
  } catch (error) {
    return onError(error);
  }
}

/** True for a promise, of whatever library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Goes on with what is there, at once, or as soon as it is. */
export function whenReady<Given, Value>(
  value: Given | Promise<Given>,
  next: (value: Given) => Value | Promise<Value>,
): Value | Promise<Value> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}
