import type { Asker } from "../ask/questions/question.js";
import type { Call } from "./call.js";

/** One call of a handler, and the ways in which the handler reaches its client meanwhile. */
export class Invocation {
  #asker: Asker | undefined;
  #report: ((message: string) => void) | undefined;
  #startTask: (() => void) | undefined;
  #startsWithCall = false;

  constructor(readonly call: Call) {}

  /** Asks the client; absent while the handler cannot ask. */
  get asker(): Asker | undefined {
    return this.#asker;
  }

  /** Says how far the handler is where its call was answered with a task; absent while it is not. */
  get report(): ((message: string) => void) | undefined {
    return this.#report;
  }

  /** Answers the call with a task; absent where tool or client has none. */
  get startTask(): (() => void) | undefined {
    return this.#startTask;
  }

  /** From now on the handler's questions go this way. */
  askBy(asker: Asker): void {
    this.#asker = asker;
  }

  /** The call is answered with a task, and progress of the handler goes this way. */
  reportBy(report: (message: string) => void): void {
    this.#report = report;
  }

  /** Lets the handler answer its call with a task, or answers it so when the handler is called. */
  offerTask(start: () => void, when: "call" | "handler"): void {
    this.#startTask = start;
    this.#startsWithCall = when === "call";
  }

  /** The handler is about to be called: nothing speaks against the call any more. */
  begin(): void {
    const { notes } = this.call;
    if (notes !== undefined) notes.began = true;
    if (this.#startsWithCall) this.#startTask?.();
  }
}
