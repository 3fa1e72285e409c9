import type { JsonSchema } from "../protocol/json-schema.js";
import type { Caller } from "./caller.js";
import type { ExchangedToken, ExchangeRequest } from "./exchange.js";
import type { Notify } from "./notifier.js";
import type {
  CreateMessageParams,
  CreateMessageResult,
  LoggingLevel,
  Root,
} from "../protocol/specification.js";

/** The user's response to a form. Only `accept` has content, which matches the schema of the form. */
export type ElicitResult<T> = { action: "accept"; content: T } | { action: "decline" } | { action: "cancel" };

/** Options that all questions to the client have. */
export interface InputRequestOptions {
  /**
   * Name of the question among the questions of one call. Clients of 2026-07-28 see it as the key in `inputRequests`.
   * Default: the kind of question and its number, such as `elicit-1`.
   */
  key?: string | undefined;
}

/** Options of `Context.elicit`. */
export interface ElicitOptions extends InputRequestOptions {
  /** Schema of the form, used verbatim instead of one that is derived from the type argument. */
  schema?: JsonSchema | undefined;
}

/** Options of `Context.ask`. */
export interface AskFormOptions extends ElicitOptions {
  /** The error message if the user declines or cancels. Default: a message stating that the user declined. */
  declined?: string | undefined;
}

/** Options of `Context.elicitUrl`. */
export interface ElicitUrlOptions extends InputRequestOptions {
  /** The `elicitationId`, in revisions that have one. Default: a random ID. */
  id?: string | undefined;
}

/**
 * The user's response to the request to open a URL. Accepting means that the user agreed to open it, not that they have
 * finished there.
 */
export interface ElicitUrlResult {
  /** `"accept"` if the user agreed to open the page, which they may not have completed yet. */
  readonly action: "accept" | "decline" | "cancel";
  /** The `elicitationId`, in revisions that have one. After the call, pass it to `Notify.elicitationCompleted`. */
  readonly id: string | undefined;
  /** Notifies the client that the user has completed the interaction, in revisions that have such a message. */
  complete(): void;
}

/**
 * The request that a handler serves, and the requests that the handler can send to the client. Declare a parameter of
 * this type anywhere in the signature of a handler. Tenon recognizes it by its type; it never becomes an argument. You
 * may destructure it: `{ log, progress }: Context`.
 *
 * Questions to the client are written the same way for every revision. With a legacy client, the handler waits for the
 * answer. A client of 2026-07-28 receives the questions and calls again with the answers. The handler then runs again
 * from its beginning, and every question that has been answered returns immediately. Code before a question therefore runs
 * again: put side effects into `step`. The earlier run stops at its question, and its `signal` is aborted. If several
 * processes share a `store`, a legacy call that has asked a question is run again in the same way when its process
 * dies.
 *
 * @example
 * \@Tool({ readOnly: true, openWorld: false })
 * async crawl(url: URL, ctx: Context): Promise<string> {
 *   ctx.progress(1, 2, "Fetching");
 *   const response = await fetch(url, { signal: ctx.signal });
 *   return response.text();
 * }
 */
export interface Context extends Caller {
  /**
   * Aborted when the client cancels, its connection ends, the server shuts down, or a later run replaces this one.
   */
  readonly signal: AbortSignal;
  /** The protocol revision of this call, such as `"2026-07-28"`. */
  readonly revision: string;
  /**
   * Reports progress, if the client requested it. In a task, the report becomes the status message of the task (`2/3
   * Page 2`). `progress` must increase with each report; `total` has the same unit. After the call, reports have no effect.
   */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message to the client, if the client wants messages of this level, and the call has not ended. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
  /**
   * Notifies clients that a list or a resource changed. Code outside handlers uses `createNotifier`.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
   * @example
   * this.notes.set(id, text);
   * ctx.notify.resourceUpdated(`note://${id}`);
   */
  readonly notify: Notify;
  /**
   * Closes the connection on which the client waits for this call. The client reconnects after `retryMs` milliseconds
   * (default 1000) and receives what it has missed. Use it for calls that outlast the timeouts of proxies. It works
   * only over Streamable HTTP in a session of 2025-11-25; elsewhere it does nothing.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
   */
  closeStream(retryMs?: number): void;
  /**
   * Asks the user to fill in a form, and returns the user's action with the content. If the call should simply end
   * when the user declines, use `ask`. Tenon derives the form from `T` when the project is built: a flat object of
   * strings, numbers, booleans, choices of strings, and lists of such choices. Without `T`, the user can only accept
   * or decline.
   *
   * @param form Filled in by the compiler.
   * @throws an error that names the missing capability if the client does not support forms; an error if the answer is
   * invalid or late. With a client of 2026-07-28, an invalid answer ends the call instead.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   * @example
   * const answer = await ctx.elicit<{ name: string; email: string }>("Who is traveling?");
   * return answer.action === "accept" ? this.book(answer.content) : this.bookForGuest();
   */
  elicit<T extends object = Record<never, never>>(
    message: string,
    options?: ElicitOptions,
    form?: string,
  ): Promise<ElicitResult<T>>;
  /**
   * Asks the user to fill in a form, as `elicit` does, and returns its content. If the user declines or cancels, it
   * throws a `ToolError`, so the call ends with a message instead of continuing.
   *
   * @param form Filled in by the compiler.
   * @throws ToolError if the user declines or cancels; otherwise as `elicit`
   * @example
   * const { name, email } = await ctx.ask<{ name: string; email: string }>("Who is traveling?");
   * @example
   * await ctx.ask("Delete all files?", { declined: "Nothing was deleted." });
   */
  ask<T extends object = Record<never, never>>(
    message: string,
    options?: AskFormOptions,
    form?: string,
  ): Promise<T>;
  /**
   * Asks the user to open a URL. Use it for data that must not pass through the client: credentials, payments, consent
   * in another service.
   *
   * @param url an absolute `https:` URL. The server logs a warning for an `http:` URL of another machine
   * @throws an error that names the missing capability if the client does not open URLs; a `TypeError` for an invalid
   * URL.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode
   * @example
   * const answer = await ctx.elicitUrl("Connect your calendar.", flow.url);
   * if (answer.action !== "accept") throw new ToolError("The calendar was not connected.");
   * await flow.done;
   * answer.complete(); // or, after the call: notifier.elicitationCompleted(answer.id)
   */
  elicitUrl(message: string, url: string | URL, options?: ElicitUrlOptions): Promise<ElicitUrlResult>;
  /**
   * Asks the client's model to generate a message.
   *
   * @throws an error that names the missing capability if the client does not support sampling, or does not support it
   * with `tools`; a `TypeError` for invalid parameters, such as `maxTokens: 0`.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
   * @example
   * const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Summarize: …" } }];
   * const { content } = await ctx.sample({ messages, maxTokens: 200 });
   */
  sample(params: CreateMessageParams, options?: InputRequestOptions): Promise<CreateMessageResult>;
  /**
   * Returns the folders and files that the client shares. To check whether a path is inside one of them, use
   * `resolveInRoots`.
   *
   * @throws an error that names the missing capability if the client does not support roots.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
   */
  roots(options?: InputRequestOptions): Promise<Root[]>;
  /**
   * Calls `listener` whenever the client reports that its roots changed, until the call ends. `roots` then returns the
   * new ones. Clients of 2026-07-28 send no such reports.
   *
   * @returns a function that removes the listener
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots#root-list-changes
   * @example
   * let roots = await ctx.roots();
   * ctx.onRootsChanged(async () => {
   *   roots = await ctx.roots();
   * });
   */
  onRootsChanged(listener: () => void | Promise<void>): () => void;
  /**
   * Runs an effect and reuses its result when the handler runs again for the same call. The result must be JSON or
   * `undefined`: clients of 2026-07-28 store it between the runs, encrypted. A client that calls without the earlier
   * answers starts a new call.
   *
   * The effect runs at least once. It runs again if a process dies after the effect, but before its result is recorded.
   * Without a shared `store`, it also runs again if a client sends the same answers twice. The effect receives an
   * idempotency key, a UUID that is the same in every run of the call. Pass it to systems that ignore repeated requests
   * with the same key. It cannot send requests to the client: ask before the step, or after it.
   *
   * @param key Name of the effect among the effects of one call.
   * @param effect Function to run. If it throws, the next run tries it again.
   * @throws TypeError for a result that JSON would lose or change, such as a `Date` or an instance with methods
   * @example
   * const order = await ctx.step("order", (idempotencyKey) => shop.reserve(item, { idempotencyKey }));
   * const answer = await ctx.elicit<{ confirmed: boolean }>(`Buy ${item} for ${order.price}?`);
   */
  step<T>(key: string, effect: (idempotencyKey: string) => T | Promise<T>): Promise<T>;
  /**
   * Returns a token with which the server calls another API on behalf of the caller. The caller's access token is
   * exchanged at its authorization server; it is never sent to the other API itself. Requires
   * `oauth({ exchange: tokenExchange({ … }) })`.
   *
   * Tokens are cached until shortly before they expire, so call this method before each request rather than storing its
   * result. In a test, the `exchange` option of `connect` replaces it.
   *
   * @throws ToolError, or an error that becomes a challenge: the caller must log in again, the operator must change the
   *   configuration, or the authorization server is unavailable. Each names the remedy.
   * @throws Error if the server has no such configuration
   * @see https://www.rfc-editor.org/rfc/rfc8693
   * @example
   * const { authorization } = await ctx.exchange({ audience: "orders-api", scope: "orders:read" });
   * const response = await fetch("https://orders.example.com/open", { headers: { authorization } });
   */
  exchange(request: ExchangeRequest): Promise<ExchangedToken>;
  /**
   * Makes the answers so far valid only once: a later request with the same `requestState` is rejected. Use it before
   * an effect that must happen at most once and that accepts no idempotency key. In the first round, and for legacy
   * clients, it does nothing.
   *
   * A client that lost the response and sends its answers again is rejected as well. It learns that the effect may
   * have happened, but not whether it did. Mention in the description of the tool how to find out.
   *
   * This applies to one process, or to all processes that share a `store`.
   *
   * @throws a protocol error that ends the call, even if the handler catches it
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
   * @example
   * const answer = await ctx.elicit<{ confirmed: boolean }>(`Send ${amount} to ${name}?`);
   * await ctx.consumeRequestState();
   * await bank.send(amount, name);
   */
  consumeRequestState(): Promise<void>;
  /**
   * Returns a task to the client, for a tool with `taskStart: "handler"`. The client no longer waits for the call.
   * Questions that the handler asked earlier belong to the call itself. Does nothing if the tool or the client does not
   * support tasks.
   *
   * @see https://modelcontextprotocol.io/extensions/tasks
   */
  startTask(): void;
}
