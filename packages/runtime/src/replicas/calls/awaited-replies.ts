import { ToolError } from "../../api/errors.js";
import { AnswerError, type Question } from "../../ask/questions/question.js";
import type { Call } from "../../connection/call.js";
import { durationText } from "../../explain/duration-text.js";
import { notificationText } from "../../protocol/jsonrpc.js";
import type { CallRecord, QuestionReply, RecordedQuestion } from "./call-record.js";

export interface AwaitingOptions {
  /** How long a client may take to answer, in milliseconds. */
  readonly answerMs: number;
  /** Puts a reply into the record of the call, for every run of it. */
  keep(requestId: string, reply: QuestionReply): Promise<void>;
  /** Whether the client is not to hear of this run any more. */
  isOver(): boolean;
}

/** The replies for which one run of a call waits. They come by way of the call's record, whoever has taken them. */
export class AwaitedReplies {
  readonly #call: Call;
  readonly #options: AwaitingOptions;
  readonly #waiting = new Map<string, (reply: QuestionReply) => void>();

  constructor(call: Call, options: AwaitingOptions) {
    this.#call = call;
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Takes those that have come. */
  take({ asked }: CallRecord): void {
    for (const [, { requestId, reply }] of asked) {
      if (reply !== undefined) this.#waiting.get(requestId)?.(reply);
    }
  }

  /**
   * Waits for the reply to a question, until it is too late for one. Rejects when the call is cancelled.
   *
   * @param send asks the client, once a reply would be noticed
   */
  async wait({ requestId, endsAt }: RecordedQuestion, send: () => Promise<void>): Promise<QuestionReply> {
    const { signal } = this.#call;
    let stop = (): void => {};
    const replied = new Promise<QuestionReply>((resolve, reject) => {
      const onAbort = (): void => {
        this.#withdraw(requestId, "The call that asked was cancelled.");
        reject(signal.reason as Error);
      };
      const onLate = (): void => {
        const reply = {
          refusal: `The client did not answer within ${durationText(this.#options.answerMs)}.`,
        };
        this.#withdraw(requestId, "No answer came in time.");
        void this.#options.keep(requestId, reply).catch(() => resolve(reply));
      };
      const timer = setTimeout(onLate, Math.max(0, endsAt - Date.now()));
      stop = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
        this.#waiting.delete(requestId);
      };
      this.#waiting.set(requestId, resolve);
      signal.addEventListener("abort", onAbort);
      if (signal.aborted) onAbort();
    });
    // It may be cancelled before anybody waits for it.
    replied.catch(() => {});
    try {
      await send();
      return await replied;
    } finally {
      stop();
    }
  }

  /** Tells the client that no answer is wanted any more. */
  #withdraw(requestId: string, reason: string): void {
    if (this.#options.isOver()) return;
    this.#call.peer.send(notificationText("notifications/cancelled", { requestId, reason }));
  }
}

/**
 * The answer in a reply.
 *
 * @throws ToolError where there is none, or it is not valid
 */
export function readReply<Answer>(question: Question<Answer>, reply: QuestionReply): Answer {
  if ("refusal" in reply) throw new ToolError(reply.refusal);
  try {
    return question.read(reply.result);
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    throw new ToolError(`The client's answer to ${question.method} is not valid: ${error.message}`);
  }
}
