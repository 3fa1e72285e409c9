/**
 * From a `HandlerRef` of the manifest to something that can be called.
 * @module
 */
import type { Application, HandlerClass } from "./application.js";
import type { Invocation } from "../connection/invocation.js";
import { type DecoratorTarget, type RecordedOptions, recordedOptions } from "../api/recorded-options.js";
import type { Context } from "../api/context.js";
import { ToolError } from "../api/errors.js";
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import { outdated, ownMember } from "./lookup.js";
import type { HandlerParameter, HandlerRef } from "../manifest.js";
import type { Settings } from "./settings.js";

/** A user's method, bound to its instance and to the way it wants its arguments. */
export interface Handler {
  /** Calls the method. `args` are checked and converted already. */
  invoke(args: Record<string, unknown>, invocation: Invocation): unknown;
  /** What the decorator recorded for this method. */
  readonly options: RecordedOptions;
  /** The instance that the method belongs to, on which behaviours are called too. */
  readonly owner: object;
  /** The method declares a `Context`, so it may log, report progress or ask the client. */
  readonly usesContext: boolean;
  /** Behaviours decide whether it is there, so it may come and go while the server runs, and depend on the caller. */
  readonly canBeDisabled: boolean;
  /** False while the author's `enabled` or `authorize` behaviour says so to this caller. */
  isEnabled(call: Call): boolean;
  /** False where the author's `authorize` behaviour looks at arguments, and refuses these. */
  allows(call: Call, args: Record<string, unknown>): boolean;
}

/** Calls a handler: its value, or an `InputRequired` where the client has to be asked first. */
export type Invoke = (invocation: Invocation, handler: Handler, args: Record<string, unknown>) => unknown;

/** Makes what a handler gets that declares a `Context`. */
export type CreateContext = (invocation: Invocation) => Context;

/** Finds handlers, constructing each class at most once. */
export interface HandlerResolver {
  /** @param target which of the decorators of its method or class it is served by */
  resolve(ref: HandlerRef, target: DecoratorTarget): Handler;
  /** The instances found so far. */
  readonly owners: ReadonlySet<object>;
}

/**
 * @throws Error when the manifest names a class or method that the application does not have, or when a class
 * cannot be constructed: a server that cannot serve all it lists must not start.
 */
export function createHandlerResolver(
  { classes }: Application,
  { provided }: Settings,
  createContext: CreateContext | undefined,
): HandlerResolver {
  const instances = new Map<HandlerClass, object>();
  const owners = new Set<object>();

  const ownerOf = (ref: HandlerRef): object => {
    const handlerClass = ownMember(ownMember(classes, ref.module) ?? {}, ref.export);
    if (handlerClass === undefined) throw outdated(`${ref.module} exports no class "${ref.export}".`);
    if (ref.static === true) return handlerClass;
    const instance = instances.get(handlerClass) ?? provided(handlerClass) ?? construct(handlerClass, ref);
    instances.set(handlerClass, instance);
    return instance;
  };

  const resolve = (ref: HandlerRef, target: DecoratorTarget): Handler => {
    const owner = ownerOf(ref) as Record<string, unknown>;
    const { method, parameters } = ref;
    owners.add(owner);
    if (typeof owner[method] !== "function") {
      throw outdated(`${ref.module}: ${ref.export} has no method "${method}".`);
    }
    const options = recordedOptions(target, owner, ref.classForm === true ? undefined : method) ?? {};
    const { authorize } = options;
    const looksAtArguments = authorize !== undefined && authorize.length > 1;
    // A promise, or whatever else is not quite `true`, opens nothing.
    const isAllowed = (call: Call, args: Record<string, unknown>): boolean =>
      authorize === undefined || (authorize.call(owner, call.peer.principal, args) as unknown) === true;
    return {
      // The method is looked up on every call so that a test can replace it on the instance.
      invoke: invoker(parameters, createContext, owner as Methods<typeof method>, method),
      options,
      owner,
      usesContext: parameters.some((parameter) => parameter.from === "context"),
      canBeDisabled: options.enabled !== undefined || (authorize !== undefined && !looksAtArguments),
      isEnabled: (call) =>
        (looksAtArguments || isAllowed(call, NO_ARGUMENTS)) &&
        (options.enabled?.call(owner, new CallCaller(call)) ?? true),
      allows: (call, args) => !looksAtArguments || isAllowed(call, args),
    };
  };
  return { resolve, owners };
}

function construct(handlerClass: HandlerClass, ref: HandlerRef): object {
  if (handlerClass.length > 0) {
    throw new Error(
      `${ref.module}: ${ref.export} needs constructor arguments. Pass an instance of it in ` +
        "`provide` of defineServer().",
    );
  }
  return Reflect.construct(handlerClass as unknown as new () => object, []) as object;
}

const NO_ARGUMENTS = Object.freeze({});

type Methods<Name extends string> = Record<Name, (...args: unknown[]) => unknown>;
type Reader = (args: Record<string, unknown>, invocation: Invocation) => unknown;

/** Calls with as many values as there are parameters; the usual few go without a list of them. */
function invoker<Name extends string>(
  parameters: readonly HandlerParameter[],
  createContext: CreateContext | undefined,
  owner: Methods<Name>,
  method: Name,
): Handler["invoke"] {
  const last = parameters.at(-1);
  const isRest = last?.from === "argument" && last.rest === true;
  const readers = parameters.map((parameter) => reader(parameter, createContext));
  if (isRest || readers.length > 3) {
    return (args, invocation) => {
      const values = readers.map((read) => read(args, invocation));
      const rest = isRest ? values.pop() : undefined;
      return owner[method](...values, ...(Array.isArray(rest) ? (rest as unknown[]) : []));
    };
  }
  const [first, second, third] = readers;
  if (first === undefined) return () => owner[method]();
  if (second === undefined) return (args, invocation) => owner[method](first(args, invocation));
  if (third === undefined)
    return (args, invocation) => owner[method](first(args, invocation), second(args, invocation));
  return (args, invocation) =>
    owner[method](first(args, invocation), second(args, invocation), third(args, invocation));
}

function reader(parameter: HandlerParameter, createContext: CreateContext | undefined): Reader {
  switch (parameter.from) {
    case "arguments":
      return (args) => args;
    case "argument": {
      const { name } = parameter;
      // `args` may be the client's own object, whose prototype is not to be read from.
      return (args) => ownMember(args, name);
    }
    case "context":
      if (createContext === undefined)
        throw outdated("A handler declares a Context, which no part of the server makes.");
      return (_args, invocation) => createContext(invocation);
    case "signal":
      return (_args, { call }) => call.signal;
    case "principal": {
      const { optional = false } = parameter;
      return (_args, { call }) => call.peer.principal ?? (optional ? undefined : refuseUnknown());
    }
  }
}

function refuseUnknown(): never {
  throw new ToolError("This is only for callers who have signed in.");
}
