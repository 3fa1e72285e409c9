import { createReport, type InternalErrorReporter } from "../connection/internal-errors.js";

/** Disposes of the instances that can be disposed of. One that fails is reported, and does not keep the others. */
export async function disposeOwners(
  owners: ReadonlySet<object>,
  onInternalError: InternalErrorReporter,
): Promise<void> {
  for (const owner of owners) {
    const { [Symbol.asyncDispose]: disposeLater, [Symbol.dispose]: dispose } = owner as Partial<
      AsyncDisposable & Disposable
    >;
    try {
      await (disposeLater ?? dispose)?.call(owner);
    } catch (error) {
      onInternalError(createReport(`disposal of ${owner.constructor.name}`, error));
    }
  }
}
