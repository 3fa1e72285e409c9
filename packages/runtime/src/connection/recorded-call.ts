import type { Answer } from "../transports/transport.js";

/** A call with which another process may go on. */
export interface RecordedCall {
  /**
   * Keeps the answer, so that it is given once.
   *
   * @returns what to give; nothing where another process gives it
   */
  conclude(answer: Answer | undefined): Promise<Answer | undefined>;
  /**
   * Has another process go on, since this one is told to end.
   *
   * @param isUrgent also when the handler is at work, and not only while it waits for its client
   * @returns true when it does, and nothing is to be answered here any more
   */
  handOver(isUrgent: boolean): boolean;
}
