import type { LogSink } from "../api/log.js";
import { createReport, type InternalErrorReporter } from "../connection/internal-errors.js";
import { durationText } from "../explain/duration-text.js";
import { withTimeout } from "../transports/with-timeout.js";

export interface DisposalOptions {
  /** How long disposal may take, in milliseconds. */
  readonly withinMs: number;
  readonly log: LogSink;
  readonly onInternalError: InternalErrorReporter;
}

const TIMER_PRECISION_MS = 2;

/**
 * Disposes of the instances that can be disposed of, one after the other. One that fails is reported, one that takes too
 * long is named, and neither keeps the others: each has its share of the time that is left, and may go on beside the
 * next until all of it is over.
 */
export async function disposeOwners(
  owners: readonly object[],
  { withinMs, log, onInternalError }: DisposalOptions,
): Promise<void> {
  const until = performance.now() + withinMs;
  const left = (): number => Math.max(0, until - performance.now());
  const ended = new Set<Promise<void>>();
  const atWork: { name: string; disposed: Promise<void> }[] = [];
  const dispose = async (owner: object, name: string): Promise<void> => {
    const { [Symbol.asyncDispose]: disposeLater, [Symbol.dispose]: disposeNow } = owner as Partial<
      AsyncDisposable & Disposable
    >;
    try {
      await (disposeLater ?? disposeNow)?.call(owner);
    } catch (error) {
      onInternalError(createReport(`disposal of ${name}`, error));
    }
  };
  for (const [index, owner] of owners.entries()) {
    const name = nameOf(owner);
    const disposed = dispose(owner, name);
    void disposed.then(() => ended.add(disposed));
    if (!(await withTimeout(left() / (owners.length - index), disposed))) atWork.push({ name, disposed });
  }
  for (const { name, disposed } of atWork) {
    // Asked for once more at the end, it could come too late to say so: a timer may be a moment early.
    if (left() > TIMER_PRECISION_MS && (await withTimeout(left(), disposed))) continue;
    if (ended.has(disposed)) continue;
    const msg = `The disposal of ${name} has not ended within ${durationText(withinMs)}. Nobody waits for it any longer.`;
    log({ level: "warn", event: "warning", msg });
  }
}

/**
 * What a server disposes of: the other way round than it came into being, so that what uses another goes first.
 *
 * @param owners those that handlers belong to, in the order in which they were found
 * @param provide the author's instances, in their order. One whose place another has taken, such as a mock, stays.
 */
export function inDisposalOrder(owners: ReadonlySet<object>, provide: readonly object[]): object[] {
  const constructed = [...owners].filter((owner) => !provide.includes(owner));
  const provided = provide.filter((each) => owners.has(each) || ![...owners].some(takesPlaceOf(each)));
  return [...provided, ...constructed].toReversed();
}

function nameOf(owner: object): string {
  const kind: unknown = typeof owner === "function" ? owner : owner.constructor;
  return typeof kind === "function" && kind.name !== "" ? kind.name : "an instance";
}

function takesPlaceOf(instance: object): (owner: object) => boolean {
  const kind: unknown = instance.constructor;
  if (typeof kind !== "function" || kind === Object) return () => false;
  return (owner) =>
    typeof owner !== "function" &&
    (owner instanceof kind || (owner.constructor !== Object && instance instanceof owner.constructor));
}
