import type { HandlerCall } from "../api/middleware.js";
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import type { Handler } from "../assembly/handlers.js";
import type { Entry } from "../manifest.js";
import type { JsonSchema } from "../protocol/json-schema.js";

/** What a call is served by. */
export interface Target {
  readonly entry: Pick<Entry<HandlerCall["definition"]>, "definition" | "scopes">;
  readonly handler: Handler;
  readonly arguments?: { readonly schema: JsonSchema };
}

/** The `HandlerCall` of one call. */
export class ServedCall extends CallCaller implements HandlerCall {
  readonly #target: Target;
  readonly #prepare: () => Record<string, unknown>;
  #arguments: Record<string, unknown> | undefined;

  /** @param prepare checks and converts the arguments */
  constructor(
    readonly call: Call,
    target: Target,
    prepare: () => Record<string, unknown>,
  ) {
    super(call);
    this.#target = target;
    this.#prepare = prepare;
  }

  get method(): HandlerCall["method"] {
    return this.call.method as HandlerCall["method"];
  }

  get name(): string {
    return this.#target.entry.definition.name;
  }

  get definition(): HandlerCall["definition"] {
    return this.#target.entry.definition;
  }

  get scopes(): readonly string[] {
    return this.#target.entry.scopes ?? [];
  }

  get params(): Readonly<Record<string, unknown>> {
    return this.call.params;
  }

  get arguments(): Record<string, unknown> {
    return (this.#arguments ??= this.#prepare());
  }

  get instance(): object {
    return this.#target.handler.owner;
  }

  get id(): string | number {
    return this.call.id;
  }

  get revision(): string {
    return this.call.revision.id;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }
}
