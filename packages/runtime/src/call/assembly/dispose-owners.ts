import type { LogSink } from "../../api/log.js";
import { createReport, type InternalErrorReporter } from "../../data/results/internal-error.js";
import { withTimeout } from "../../transports/with-timeout.js";

/**
 * Disposes of the disposable instances, one after the other. An instance that fails is reported, and one that takes too
 * long is logged. Each gets an equal share of the remaining time, and may continue while the next one is disposed of,
 * until the deadline.
 *
 * @param deadline a time of `performance.now()`
 */
export async function disposeOwners(
  owners: readonly object[],
  deadline: number,
  log: LogSink,
  onInternalError: InternalErrorReporter,
): Promise<void> {
  const disposing = new Map<object, Promise<void>>();
  let remaining = owners.length;
  for (const owner of owners) {
    const disposed = dispose(owner, onInternalError).finally(() => disposing.delete(owner));
    disposing.set(owner, disposed);
    await withTimeout((deadline - performance.now()) / remaining--, disposed);
  }
  await withTimeout(deadline - performance.now(), Promise.all(disposing.values()));
  for (const owner of disposing.keys()) {
    log({
      level: "warn",
      event: "warning",
      msg: `The disposal of ${owner.constructor?.name} took too long.`,
    });
  }
}

async function dispose(owner: object, onInternalError: InternalErrorReporter): Promise<void> {
  const { [Symbol.asyncDispose]: disposeAsync, [Symbol.dispose]: disposeSync } = owner as Partial<
    AsyncDisposable & Disposable
  >;
  try {
    await (disposeAsync ?? disposeSync)?.call(owner);
  } catch (error) {
    onInternalError(createReport(`disposal of ${owner.constructor?.name}`, error));
  }
}
