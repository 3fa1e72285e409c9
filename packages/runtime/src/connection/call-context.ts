import type { Effect } from "../ask/once/once.js";
import type { Asker } from "../ask/questions/question.js";
import { formQuestion, rootsQuestion, sampleQuestion, urlQuestion } from "../ask/questions/questions.js";
import type { Call } from "./call.js";
import { CallCaller } from "./call-caller.js";
import type { Invocation } from "./invocation.js";
import type {
  AskOptions,
  Context,
  ElicitAnswer,
  ElicitOptions,
  ElicitUrlAnswer,
  ElicitUrlOptions,
} from "../api/context.js";
import { isObject, isRequestId, notificationText, type RequestId } from "../protocol/jsonrpc.js";
import { LOGGING_LEVELS } from "../protocol/logging-levels.js";
import { LOG_LEVEL } from "../protocol/meta-keys.js";
import type { Notify } from "../api/notifier.js";
import { sanitizeSampling } from "../results/sanitize.js";
import type {
  CreateMessageParams,
  CreateMessageResult,
  LoggingLevel,
  Root,
} from "../protocol/specification.js";

/** How long a client whose stream is closed is asked to stay away, in milliseconds. */
const DEFAULT_RETRY_MS = 1000;

/** The `Context` of one call; made only for handlers that declare one. */
export class CallContext extends CallCaller implements Context {
  readonly #invocation: Invocation;
  readonly #call: Call;
  readonly #token: RequestId | undefined;
  #progress = -Infinity;

  constructor(invocation: Invocation) {
    super(invocation.call);
    this.#invocation = invocation;
    this.#call = invocation.call;
    const { progressToken: token } = metaOf(this.#call);
    this.#token = isRequestId(token) ? token : undefined;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get revision(): string {
    return this.#call.revision.id;
  }

  get notify(): Notify {
    return this.#call.session.notify;
  }

  closeStream(retryMs = DEFAULT_RETRY_MS): void {
    if (!this.#call.done) this.#call.peer.closeStream?.(retryMs);
  }

  progress(progress: number, total?: number, message?: string): void {
    // The specification wants progress to grow, so a report that does not is left out rather than sent.
    if (!(progress > this.#progress)) return;
    this.#progress = progress;
    const { report } = this.#invocation;
    if (report !== undefined) return report(this.#shown(statusMessage(progress, total, message)));
    if (this.#token === undefined || this.#call.done) return;
    const params: Record<string, unknown> = { progressToken: this.#token, progress };
    if (total !== undefined) params.total = total;
    if (message !== undefined && this.#call.revision.progressMessage) params.message = this.#shown(message);
    this.#call.peer.send(notificationText("notifications/progress", params));
  }

  log(level: LoggingLevel, data: unknown, logger?: string): void {
    const wanted = wantedLevel(this.#call);
    if (wanted < 0 || this.#call.done || LOGGING_LEVELS.indexOf(level) < wanted) return;
    const shown = loggable(data);
    const params: Record<string, unknown> = {
      level,
      data: typeof shown === "string" ? this.#shown(shown) : shown,
    };
    if (logger !== undefined) params.logger = logger;
    this.#call.peer.send(notificationText("notifications/message", params));
  }

  // Questions that cannot be put together are rejected like those that are not answered.
  async elicit<T extends object>(
    message: string,
    options: ElicitOptions = {},
    form?: string,
  ): Promise<ElicitAnswer<T>> {
    const { forms } = this.#asker;
    return this.#asker.ask(formQuestion<T>(this.#call, forms, this.#shown(message), options, form));
  }

  async elicitUrl(
    message: string,
    url: string | URL,
    options: ElicitUrlOptions = {},
  ): Promise<ElicitUrlAnswer> {
    const { session, revision } = this.#call;
    const id = revision.asks.url === "with-id" ? (options.id ?? (await this.#newId())) : undefined;
    const { peer, elicitations, notify } = session;
    const question = urlQuestion(this.#call, this.#shown(message), String(url), id, options);
    if (id !== undefined) elicitations.begin(id, peer);
    let action: ElicitUrlAnswer["action"] | undefined;
    try {
      action = await this.#asker.ask(question);
    } finally {
      if (id !== undefined && action !== "accept") elicitations.end(id, peer);
    }
    const complete = (): void => {
      if (id !== undefined) notify.elicitationCompleted(id);
    };
    return { action, id, complete };
  }

  async sample(params: CreateMessageParams, options: AskOptions = {}): Promise<CreateMessageResult> {
    const shown = sanitizeSampling(params, this.#call.session.sanitize);
    return this.#asker.ask(sampleQuestion(this.#call, shown, options));
  }

  async roots(options: AskOptions = {}): Promise<Root[]> {
    return this.#asker.ask(rootsQuestion(options));
  }

  onRootsChanged(listener: () => void | Promise<void>): () => void {
    return this.#call.onRootsChanged(listener);
  }

  once<T>(key: string, effect: Effect<T>): Promise<T> {
    return this.#asker.once(key, effect);
  }

  async spendState(): Promise<void> {
    await this.#asker.spendState?.();
  }

  startTask(): void {
    this.#invocation.startTask?.();
  }

  async #newId(): Promise<string> {
    return (await this.#asker.newId?.()) ?? globalThis.crypto.randomUUID();
  }

  /** Text that the client's user reads. */
  #shown(text: string): string {
    return this.#call.session.sanitize(text);
  }

  get #asker(): Asker {
    const { asker } = this.#invocation;
    if (asker === undefined) throw new Error("Only the handlers of tools, prompts and resources can ask.");
    return asker;
  }
}

function metaOf({ params }: Call): Record<string, unknown> {
  return isObject(params._meta) ? params._meta : {};
}

/** The place of the least severe messages that the client wants; negative when it wants none. */
function wantedLevel(call: Call): number {
  const { revision, session } = call;
  const level = revision.logLevelOf === "request" ? metaOf(call)[LOG_LEVEL] : session.logLevel;
  return LOGGING_LEVELS.indexOf(level as LoggingLevel);
}

/** Logging must never fail the call it reports on, so what JSON cannot carry is sent as text. */
function loggable(data: unknown): unknown {
  if (data instanceof Error) return `${data.name}: ${data.message}`;
  try {
    if (JSON.stringify(data) !== undefined) return data;
    return String(data);
  } catch {
    return Object.prototype.toString.call(data);
  }
}

/** Progress in a task, which has a text for it and no numbers: `2/3 Page 2`. */
function statusMessage(progress: number, total: number | undefined, message: string | undefined): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${message}`;
}
