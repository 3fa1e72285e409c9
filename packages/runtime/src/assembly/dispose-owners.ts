import type { LogSink } from "../api/log.js";
import { createReport, type InternalErrorReporter } from "../connection/internal-errors.js";
import { withTimeout } from "../transports/with-timeout.js";

/**
 * Disposes of the instances that can be disposed of, one after the other. One that fails is reported, one that takes too
 * long is named, and neither keeps the others: each has its share of the time that is left, and may go on beside the
 * next until all of it is over.
 *
 * @param until when nobody waits any longer, by `performance.now()`
 */
export async function disposeOwners(
  owners: readonly object[],
  until: number,
  log: LogSink,
  onInternalError: InternalErrorReporter,
): Promise<void> {
  const atWork = new Map<object, Promise<void>>();
  let share = owners.length;
  for (const owner of owners) {
    const disposed = dispose(owner, onInternalError).finally(() => atWork.delete(owner));
    atWork.set(owner, disposed);
    await withTimeout((until - performance.now()) / share--, disposed);
  }
  await withTimeout(until - performance.now(), Promise.all(atWork.values()));
  for (const owner of atWork.keys()) {
    log({
      level: "warn",
      event: "warning",
      msg: `The disposal of ${owner.constructor?.name} did not end in time.`,
    });
  }
}

async function dispose(owner: object, onInternalError: InternalErrorReporter): Promise<void> {
  const { [Symbol.asyncDispose]: disposeLater, [Symbol.dispose]: disposeNow } = owner as Partial<
    AsyncDisposable & Disposable
  >;
  try {
    await (disposeLater ?? disposeNow)?.call(owner);
  } catch (error) {
    onInternalError(createReport(`disposal of ${owner.constructor?.name}`, error));
  }
}
