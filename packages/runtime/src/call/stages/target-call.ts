import type { HandlerCall } from "../../api/middleware.js";
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import { freezeDeep, toFrozenCopy } from "../../data/freeze.js";
import type { Target } from "./stage.js";

/** The view of one call for middleware. */
export class TargetCall extends CallCaller implements HandlerCall {
  readonly #target: Target;
  #params: HandlerCall["params"] | undefined;
  #arguments: HandlerCall["arguments"] | undefined;

  constructor(
    readonly call: Call,
    target: Target,
  ) {
    super(call);
    this.#target = target;
  }

  get method(): HandlerCall["method"] {
    return this.call.method as HandlerCall["method"];
  }

  get name(): string {
    return this.#target.entry.definition.name;
  }

  get definition(): HandlerCall["definition"] {
    return freezeDeep(this.#target.entry.definition);
  }

  get scopes(): readonly string[] {
    return this.#target.entry.scopes ?? [];
  }

  get params(): HandlerCall["params"] {
    return (this.#params ??= toFrozenCopy(this.call.params));
  }

  get arguments(): HandlerCall["arguments"] {
    this.call.arguments ??= this.#target.readArguments(this.call);
    return (this.#arguments ??= toFrozenCopy(this.call.arguments));
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
