import { checkOutsideSteps, performInStep } from "../steps/current-step.js";
import type { Effect } from "../steps/effects.js";
import type { InputRequester, Question } from "../questions/question.js";
import { createFormQuestion, createRootsQuestion, createUrlQuestion } from "../questions/questions.js";
import { createSampleQuestion } from "../questions/sampling.js";
import type { Call } from "./call.js";
import { CallCaller } from "./call-caller.js";
import { logRepeatedStep, logUnsent } from "./unsent-messages.js";
import { ToolError } from "../../api/errors.js";
import { errorMessage } from "../../observe/log/error-text.js";
import type {
  AskFormOptions,
  InputRequestOptions,
  Context,
  ElicitResult,
  ElicitOptions,
  ElicitUrlResult,
  ElicitUrlOptions,
} from "../../api/context.js";
import { isObject, isRequestId, toNotificationText, type RequestId } from "../../protocol/jsonrpc.js";
import { EXPECTED_LEVEL, LOGGING_LEVELS } from "../../protocol/logging-levels.js";
import { LOG_LEVEL } from "../../protocol/meta-keys.js";
import type { ExchangedToken, ExchangeRequest } from "../../api/exchange.js";
import type { Notify } from "../../api/notifier.js";
import { toWrittenJson } from "../../data/results/json-text.js";
import { describeLost } from "../../data/results/lost-values.js";
import { sanitizeSampling } from "../../data/results/sanitize.js";
import type {
  CreateMessageParams,
  CreateMessageResult,
  LoggingLevel,
  Root,
} from "../../protocol/specification.js";

/** The time after which a client whose stream was closed should reconnect, in milliseconds. */
const DEFAULT_RETRY_MS = 1000;

const EXCHANGE_NOT_CONFIGURED =
  "ctx.exchange() needs callers with access tokens, and the credentials of this server at their authorization server. Configure `auth: oauth({ …, exchange: tokenExchange({ … }) })` in src/server.ts.";

const NUMBER = "a finite number";

/**
 * The `Context` of one call. Created only for handlers that declare one. Its functions are fields, so that a handler can write
 * `{ log, progress }: Context`.
 */
export class CallContext extends CallCaller implements Context {
  readonly #call: Call;
  readonly #token: RequestId | undefined;
  /** The keys of the steps in this run. */
  readonly #steps = new Set<string>();
  #progress = -Infinity;

  constructor(call: Call) {
    super(call);
    this.#call = call;
    const { progressToken: token } = readMeta(this.#call);
    this.#token = isRequestId(token) ? token : undefined;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get revision(): string {
    return this.#call.revision.id;
  }

  get notify(): Notify {
    return this.#call.server.notify;
  }

  readonly closeStream = (retryMs = DEFAULT_RETRY_MS): void => {
    if (!this.#call.isDone) this.#call.peer.closeStream?.(retryMs);
  };

  readonly progress = (progress: number, total?: number, message?: string): void => {
    // The specification requires progress to increase.
    if (!(progress > this.#progress) || !Number.isFinite(progress))
      return logUnsent(
        this.#call,
        "Progress",
        this.#progress === -Infinity ? NUMBER : `${NUMBER} greater than the one before, ${this.#progress}`,
        progress,
      );
    this.#progress = progress;
    const hasTotal = Number.isFinite(total);
    if (total !== undefined && !hasTotal) logUnsent(this.#call, "The total of progress", NUMBER, total);
    const { reportProgress } = this.#call;
    if (reportProgress !== undefined)
      return reportProgress(
        this.#sanitize(formatStatusMessage(progress, hasTotal ? total : undefined, message)),
      );
    if (this.#token === undefined || this.#call.isDone) return;
    const params: Record<string, unknown> = { progressToken: this.#token, progress };
    if (hasTotal) params.total = total;
    if (message !== undefined && this.#call.revision.hasProgressMessages)
      params.message = this.#sanitize(message);
    this.#call.peer.send(toNotificationText("notifications/progress", params));
  };

  readonly log = (level: LoggingLevel, data: unknown, logger?: string): void => {
    const minimum = findMinimumLevel(this.#call);
    const severity = LOGGING_LEVELS.indexOf(level);
    if (severity < 0) return logUnsent(this.#call, "The level of a message", EXPECTED_LEVEL, level);
    if (minimum < 0 || this.#call.isDone || severity < minimum) return;
    const loggable = toLoggable(data);
    const params: Record<string, unknown> = {
      level,
      data: typeof loggable === "string" ? this.#sanitize(loggable) : loggable,
    };
    if (logger !== undefined) params.logger = logger;
    this.#call.peer.send(toNotificationText("notifications/message", params));
  };

  // `async`, so that a question that cannot be created rejects the promise like one that is not answered.
  readonly elicit = async <T extends object>(
    message: string,
    options: ElicitOptions = {},
    form?: string,
  ): Promise<ElicitResult<T>> => {
    const { forms } = this.#requester;
    return this.#ask(createFormQuestion<T>(this.#call, forms, this.#sanitize(message), options, form));
  };

  readonly ask = async <T extends object>(
    message: string,
    options: AskFormOptions = {},
    form?: string,
  ): Promise<T> => {
    const { declined, ...others } = options;
    const answer = await this.elicit<T>(message, others, form);
    if (answer.action === "accept") return answer.content;
    const action = answer.action === "decline" ? "declined" : "dismissed";
    throw new ToolError(declined ?? `The user ${action} this question, so the call ended: ${message}`);
  };

  readonly elicitUrl = async (
    message: string,
    url: string | URL,
    options: ElicitUrlOptions = {},
  ): Promise<ElicitUrlResult> => {
    const { server, session, revision } = this.#call;
    const id =
      revision.clientRequests.url === "with-id" ? (options.id ?? (await this.#createId())) : undefined;
    const { elicitations, notify } = server;
    const { peer = this.#call.peer } = session ?? {};
    const question = createUrlQuestion(this.#call, this.#sanitize(message), String(url), id, options);
    if (id !== undefined) elicitations.begin(id, peer);
    let action: ElicitUrlResult["action"] | undefined;
    try {
      action = await this.#ask(question);
    } finally {
      if (id !== undefined && action !== "accept") elicitations.end(id, peer);
    }
    const complete = (): void => {
      if (id !== undefined) notify.elicitationCompleted(id);
    };
    return { action, id, complete };
  };

  readonly sample = async (
    params: CreateMessageParams,
    options: InputRequestOptions = {},
  ): Promise<CreateMessageResult> => {
    const sanitized = sanitizeSampling(params, this.#call.server.sanitize);
    return this.#ask(createSampleQuestion(this.#call, sanitized, options));
  };

  readonly roots = async (options: InputRequestOptions = {}): Promise<Root[]> => {
    return this.#ask(createRootsQuestion(options));
  };

  readonly onRootsChanged = (listener: () => void | Promise<void>): (() => void) => {
    return this.#call.onRootsChanged(listener);
  };

  readonly step = async <T>(key: string, effect: Effect<T>): Promise<T> => {
    if (this.#steps.has(key)) logRepeatedStep(this.#call, key);
    this.#steps.add(key);
    try {
      return await this.#requester.step(key, (idempotencyKey) =>
        performInStep(this.#call, key, () => effect(idempotencyKey)),
      );
    } catch (error) {
      // The handler may try again.
      this.#steps.delete(key);
      throw error;
    }
  };

  readonly exchange = async (request: ExchangeRequest): Promise<ExchangedToken> => {
    const { server, peer, reportProgress } = this.#call;
    if (server.exchange === undefined) throw new Error(EXCHANGE_NOT_CONFIGURED);
    const { principal, header, canRespondWithStatus = false } = peer;
    const token = await server.exchange(
      {
        principal,
        header,
        // The client of a task already has a response.
        mayChallenge: canRespondWithStatus && reportProgress === undefined,
        warn: (msg) => server.log({ level: "warn", event: "warning", msg }),
      },
      request,
    );
    (this.#call.issuedTokens ??= new Set()).add(token.accessToken);
    return token;
  };

  readonly consumeRequestState = async (): Promise<void> => {
    await this.#requester.consumeState?.();
  };

  readonly startTask = (): void => {
    this.#call.startTask?.();
  };

  #ask<Answer>(question: Question<Answer>): Promise<Answer> {
    checkOutsideSteps(this.#call);
    return this.#requester.ask(question);
  }

  async #createId(): Promise<string> {
    return (await this.#requester.createId?.()) ?? globalThis.crypto.randomUUID();
  }

  /** Sanitizes text that the client's user reads. */
  #sanitize(text: string): string {
    return this.#call.server.sanitize(text);
  }

  get #requester(): InputRequester {
    const { inputRequester } = this.#call;
    if (inputRequester === undefined)
      throw new Error("Only handlers of tools, prompts, and resources can send requests to the client.");
    return inputRequester;
  }
}

function readMeta({ params }: Call): Record<string, unknown> {
  return isObject(params._meta) ? params._meta : {};
}

/** Returns the index of the lowest level that the client wants to receive; negative if it wants no messages. */
function findMinimumLevel(call: Call): number {
  const { revision, session } = call;
  const level =
    revision.logLevelScope === "request"
      ? readMeta(call)[LOG_LEVEL]
      : session === undefined
        ? "info"
        : session.logLevel;
  return LOGGING_LEVELS.indexOf(level as LoggingLevel);
}

/** Converts data to JSON. Parts that JSON would lose, such as errors, become text, since logging must not fail the call. */
function toLoggable(data: unknown): unknown {
  if (typeof data === "string") return data;
  try {
    const text = JSON.stringify(toWrittenJson(data), (_key, part: unknown) =>
      describeLost(part) === undefined ? part : String(part),
    );
    return text === undefined ? String(data) : (JSON.parse(text) as unknown);
  } catch (error) {
    // The data is circular, or its `toJSON` or `toString` method fails.
    return `The data cannot be logged: ${errorMessage(error)}`;
  }
}

/** Returns progress as the status message of a task, such as `2/3 Page 2`. */
function formatStatusMessage(
  progress: number,
  total: number | undefined,
  message: string | undefined,
): string {
  const count = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined ? count : `${count} ${message}`;
}
