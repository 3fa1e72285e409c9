import type { JsonSchema } from "../protocol/json-schema.js";
import type { Caller } from "./caller.js";
import type { Notify } from "./notifier.js";
import type {
  CreateMessageParams,
  CreateMessageResult,
  LoggingLevel,
  Root,
} from "../protocol/specification.js";

/** What a user made of a form. Only `accept` brings content, and it fits the form. */
export type ElicitAnswer<T> = { action: "accept"; content: T } | { action: "decline" } | { action: "cancel" };

export interface AskOptions {
  /**
   * The question's name among the questions of one call; clients of 2026-07-28 see it as the key in
   * `inputRequests`. Default: the kind of question and its number, such as `elicit-1`.
   */
  key?: string;
}

export interface ElicitOptions extends AskOptions {
  /** The form, verbatim, instead of one derived from the type argument. */
  schema?: JsonSchema;
}

export interface ElicitUrlOptions extends AskOptions {
  /** The `elicitationId`, where the revision has one. Default: an id that cannot be guessed. */
  id?: string;
}

/** What a user made of a URL. Accepting means agreeing to open it, not being done there. */
export interface ElicitUrlAnswer {
  readonly action: "accept" | "decline" | "cancel";
  /** The `elicitationId`, where the revision has one: `Notify.elicitationCompleted` takes it after the call, too. */
  readonly id: string | undefined;
  /** Tells the client that the user is done at the URL, where the revision has a message for that. */
  complete(): void;
}

/**
 * What a handler may ask for besides its arguments. Declare a parameter of this type anywhere in a
 * handler's signature; it is recognised by type and never becomes an argument.
 *
 * Questions to the client are written the same way for every revision. A legacy client is asked while the
 * handler waits. A client of 2026-07-28 is sent the questions and calls again with the answers: the handler is
 * then run from its beginning, and every question it has had answered returns at once. So whatever stands before
 * a question runs again; wrap an effect that must not happen twice in `once`. When a handler waits for an answer
 * that is still to come, its run is left where it stands and its `signal` is aborted. Where servers share a `store`, a
 * legacy call is run again in the same way when its process has died after it asked something.
 *
 * @example
 * \@Tool({ readOnly: true })
 * async crawl(url: URL, ctx: Context): Promise<string> {
 *   ctx.progress(1, 2, "Fetching");
 *   const response = await fetch(url, { signal: ctx.signal });
 *   return response.text();
 * }
 */
export interface Context extends Caller {
  /** Aborted when the client cancels, its connection ends, the server shuts down, or the run is left for a later one. */
  readonly signal: AbortSignal;
  /** The protocol revision of this call, such as `"2026-07-28"`. */
  readonly revision: string;
  /**
   * Reports progress, if the client asked for it; otherwise does nothing. In a task, it becomes the message of the
   * task's status (`2/3 Page 2`), which the latest report replaces. `progress` must grow from call to
   * call; `total` is in the same unit, when known.
   */
  progress(progress: number, total?: number, message?: string): void;
  /** Sends a log message, if the client wants messages of this level; otherwise does nothing. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
  /**
   * Tells clients that a list or a resource changed. Code outside of handlers uses `createNotifier`.
   *
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
   * @example
   * this.notes.set(id, text);
   * ctx.notify.resourceUpdated(`note://${id}`);
   */
  readonly notify: Notify;
  /**
   * Lets go of the connection on which the client waits for this call; the client comes back after `retryMs`
   * milliseconds (default 1000) and gets what it has not seen. For calls that outlast the patience of proxies.
   * Only over Streamable HTTP, in a session of 2025-11-25; elsewhere it does nothing.
   *
   * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
   */
  closeStream(retryMs?: number): void;
  /**
   * Asks the user to fill in a form. The form is derived from `T` when the project is built: a flat object of
   * strings, numbers, booleans, choices of strings, and lists of such choices. Without `T` the user is only asked
   * to accept or decline.
   *
   * @param form Filled in by the compiler.
   * @throws an error that names the capability, when the client cannot show forms; and when the answer does not fit
   * or does not come in time.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
   * @example
   * const answer = await ctx.elicit<{ name: string; email: string }>("Who is travelling?");
   * if (answer.action !== "accept") throw new ToolError("Nothing was booked.");
   * answer.content.email
   */
  elicit<T extends object = Record<never, never>>(
    message: string,
    options?: ElicitOptions,
    form?: string,
  ): Promise<ElicitAnswer<T>>;
  /**
   * Asks the user to open a URL, for what must not pass through the client: credentials, payments, consent
   * elsewhere.
   *
   * @param url a whole `https:` URL; `http:` is warned of, unless it is this machine's
   * @throws an error that names the capability, when the client does not open URLs; a `TypeError` for what is no URL.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode
   * @example
   * const asked = await ctx.elicitUrl("Connect your calendar.", flow.url);
   * if (asked.action !== "accept") throw new ToolError("The calendar stays unconnected.");
   * await flow.done;
   * asked.complete(); // or, when the call is over: notifier.elicitationCompleted(asked.id)
   */
  elicitUrl(message: string, url: string | URL, options?: ElicitUrlOptions): Promise<ElicitUrlAnswer>;
  /**
   * Has the client's model generate a message.
   *
   * @throws an error that names the capability, when the client does not sample, or not with `tools`.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
   * @example
   * const messages = [{ role: "user" as const, content: { type: "text" as const, text: "Summarise: …" } }];
   * const { content } = await ctx.sample({ messages, maxTokens: 200 });
   */
  sample(params: CreateMessageParams, options?: AskOptions): Promise<CreateMessageResult>;
  /**
   * The folders and files that the client gives access to. `resolveInRoots` says whether a path lies inside of them.
   *
   * @throws an error that names the capability, when the client has no roots.
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
   */
  roots(options?: AskOptions): Promise<Root[]>;
  /**
   * Calls back whenever the client says that its roots changed, until the call ends: `roots` has the new ones. Between
   * calls there is nothing to hear, since `roots` always asks. Clients of 2026-07-28 do not say so.
   *
   * @returns a function that stops it
   * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots#root-list-changes
   * @example
   * let roots = await ctx.roots();
   * ctx.onRootsChanged(async () => {
   *   roots = await ctx.roots();
   * });
   */
  onRootsChanged(listener: () => void | Promise<void>): () => void;
  /**
   * Does something once, however often the handler is run for one call. What it returns travels with the client,
   * encrypted, and must be JSON. A client that calls anew, without the answers given so far, is a new call.
   *
   * A process may die between an effect and the note that it is done, and a client may send the same answers twice: then
   * it is done again, at least once, never less. The effect gets an idempotency key, a UUID that is the same in every run
   * of the call, wherever it runs: a system that takes one does a second time nothing. Where servers share a `store`,
   * what remains is the moment between the effect and its note there.
   *
   * @param key Names the effect among those of one call.
   * @param effect One that throws has not happened: it is tried again by the next run.
   * @example
   * const order = await ctx.once("order", (idempotencyKey) => shop.reserve(item, { idempotencyKey }));
   * const answer = await ctx.elicit<{ confirmed: boolean }>(`Buy ${item} for ${order.price}?`);
   */
  once<T>(key: string, effect: (idempotencyKey: string) => T | Promise<T>): Promise<T>;
  /**
   * Has the answers given so far count once: from here on, whoever sends the same `requestState` again is refused. For
   * what must not be done twice and what no idempotency key keeps from being done twice. Ends the call when that has
   * happened before; in the first round, and for legacy clients, whose answers come once, it does nothing.
   *
   * A client that lost the answer to a round and sends it again, as an honest one does, is refused like any other: it
   * learns that what it asked for may have been done, and not whether. So what is done after this is done at most once,
   * what is done by `once` at least once; a handler that offers both ways out, such as a list of what was done, should
   * say so in its description.
   *
   * Holds for this process, or for all that share a `store`.
   *
   * @throws a protocol error that ends the call, whatever the handler makes of it
   * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/mrtr
   * @example
   * const answer = await ctx.elicit<{ confirmed: boolean }>(`Send ${amount} to ${name}?`);
   * await ctx.spendState();
   * await bank.send(amount, name);
   */
  spendState(): Promise<void>;
  /**
   * Answers the call with a task, for a tool with `taskStart: "handler"`: the client need not wait any longer.
   * What is asked before is asked in the call itself. Does nothing where tool or client have no tasks.
   *
   * @see https://modelcontextprotocol.io/extensions/tasks
   */
  startTask(): void;
}
