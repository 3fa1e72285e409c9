/**
 * Resolves a `HandlerRef` of the manifest to a handler that can be called.
 * @module
 */
import type { Application, HandlerClass } from "../application/application.js";
import {
  type DecoratorTarget,
  type RecordedOptions,
  getRecordedOptions,
} from "../../api/recorded-options.js";
import type { Context } from "../../api/context.js";
import { ToolError } from "../../api/errors.js";
import type { Call } from "../connection/call.js";
import { CallCaller } from "../connection/call-caller.js";
import type { Cursors } from "./call-cursor.js";
import { createMissingFeatureError, createOutdatedBuildError, getOwnMember } from "../application/lookup.js";
import { formatOptionValue } from "../../data/options/option-rule.js";
import { toFrozenCopy } from "../../data/freeze.js";
import type { LogSink } from "../../api/log.js";
import type { Guard, HandlerParameter, HandlerRef } from "../../manifest.js";
import { createReport } from "../../data/results/internal-error.js";
import { createInternalErrorEntry } from "../../observe/log/internal-error-entry.js";
import type { Settings } from "./settings.js";

/** An author's method, bound to its instance and to the sources of its parameters. */
export interface Handler {
  /** Calls the method with the arguments of the call, which are validated and converted. */
  invoke(call: Call): unknown;
  /** The options that the decorator recorded for this method. */
  readonly options: RecordedOptions;
  /** The instance of the method. Callbacks are called on it too. */
  readonly owner: object;
  /** Whether the method declares a `Context`, with which it may log, report progress, or ask the client. */
  readonly usesContext: boolean;
  /** Whether callbacks decide whether a caller sees the declaration, so that lists may change and vary. */
  readonly canBeDisabled: boolean;
  /**
   * Returns false if the author's `enabled` or `authorize` callback hides the declaration from this caller, or throws,
   * which is logged.
   */
  isEnabled(call: Call): boolean;
  /** Whether the author's `authorize` callback has a parameter for arguments. */
  readonly authorizesArguments: boolean;
  /** Returns false if the `authorize` callback rejects these arguments. */
  allows(call: Call, args: Record<string, unknown>): boolean;
}

/** Creates the `Context` of a call. */
export type CreateContext = (call: Call) => Context;

/** Functions that create those parameters of handlers that only some servers need. */
export interface ParameterSources {
  readonly createContext: CreateContext | undefined;
  readonly cursors: Cursors | undefined;
}

/** Finds handlers, constructing each class at most once. */
export interface HandlerResolver {
  /**
   * Returns the handler of a reference.
   *
   * @param target the decorator of the method or class, which may have several
   */
  resolve(ref: HandlerRef, target: DecoratorTarget): Handler;
  /** The instances of the handlers so far. */
  readonly owners: ReadonlySet<object>;
}

/**
 * Creates the resolver of handlers.
 *
 * @throws Error, from `resolve`, for a class or method that the application lacks, or a class that cannot be constructed: a
 *   server that cannot serve all it lists must not start
 */
export function createHandlerResolver(
  { classes }: Application,
  { findInstance, log, limits }: Settings,
  sources: ParameterSources,
): HandlerResolver {
  const instances = new Map<HandlerClass, object>();
  const owners = new Set<object>();

  const findOwner = (ref: HandlerRef): object => {
    const handlerClass = getOwnMember(getOwnMember(classes, ref.module) ?? {}, ref.export);
    if (handlerClass === undefined)
      throw createOutdatedBuildError(`${ref.module} exports no class "${ref.export}".`);
    if (ref.static === true) return handlerClass;
    const instance =
      instances.get(handlerClass) ?? findInstance(handlerClass) ?? construct(handlerClass, ref);
    instances.set(handlerClass, instance);
    return instance;
  };

  const resolve = (ref: HandlerRef, target: DecoratorTarget): Handler => {
    const owner = findOwner(ref) as Record<string, unknown>;
    const { method, parameters } = ref;
    owners.add(owner);
    if (typeof owner[method] !== "function") {
      throw createOutdatedBuildError(`${ref.module}: ${ref.export} has no method "${method}".`);
    }
    const options = getRecordedOptions(target, owner, ref.classForm === true ? undefined : method) ?? {};
    const { authorize, enabled } = options;
    const authorizesArguments = (authorize?.length ?? 0) > 1;
    const isTrue = createGuardCheck(`${ref.export}.${method}`, log);
    const isAllowed = (call: Call, args: Record<string, unknown>): boolean =>
      authorize === undefined || isTrue("authorize", authorize.call(owner, call.peer.principal, args));
    // A list must not fail because of one of its entries, which is hidden.
    const reportFault = (error: unknown): false => {
      log(createInternalErrorEntry(createReport(`check whether ${ref.export}.${method} is enabled`, error)));
      return false;
    };
    const cursorNames = parameters.flatMap((each) => (each.from === "cursor" ? [each.name] : []));
    return {
      // The method is looked up on every call, so that a test can replace it on the instance.
      invoke: createInvoker(
        parameters.map((each) => createReader(each, sources, limits.maxResultChars, cursorNames)),
        isRest(parameters.at(-1)),
        owner as Methods<typeof method>,
        method,
      ),
      options,
      owner,
      usesContext: parameters.some((parameter) => parameter.from === "context"),
      canBeDisabled: enabled !== undefined || (authorize !== undefined && !authorizesArguments),
      isEnabled: (call) => {
        try {
          return (
            (authorizesArguments || isAllowed(call, NO_ARGUMENTS)) &&
            (!enabled || isTrue("enabled", enabled.call(owner, new CallCaller(call))))
          );
        } catch (error) {
          return reportFault(error);
        }
      },
      authorizesArguments,
      allows: (call, args) => !authorizesArguments || isAllowed(call, toFrozenCopy(args)),
    };
  };
  return { resolve, owners };
}

/**
 * Creates a function that returns whether a guard returned `true`. Anything else counts as false, and the first value that
 * is not a boolean, such as a promise, is reported.
 *
 * @param handler the method in messages, such as `Weather.current`
 */
export function createGuardCheck(handler: string, log: LogSink): (guard: Guard, value: unknown) => boolean {
  let hasWarned = false;
  return function isTrue(guard, value) {
    if (typeof value === "boolean") return value;
    // The result of `user?.claims.isAdmin` for a caller without the claim.
    if (value === undefined || hasWarned) return false;
    hasWarned = true;
    const returned = value instanceof Promise ? "a promise" : formatOptionValue(value);
    const msg = `\`${guard}\` of ${handler} must return true or false, but returned ${returned}, which counts as false.`;
    log({ level: "warn", event: "warning", msg });
    return false;
  };
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
/** Reads the value of a parameter from the arguments, or from the call. */
type Reader = (args: Record<string, unknown>, call: Call) => unknown;

function isRest(parameter: HandlerParameter | undefined): boolean {
  return parameter?.from === "argument" && parameter.rest === true;
}

/**
 * Creates the function that calls a method with the values of its parameters, without an array for up to three.
 *
 * @param endsInRest whether the last parameter is a rest parameter
 */
function createInvoker<Name extends string>(
  readers: readonly Reader[],
  endsInRest: boolean,
  owner: Methods<Name>,
  method: Name,
): Handler["invoke"] {
  const [first, second, third] = readers;
  if (endsInRest || readers.length > 3) {
    return function invokeMethod(call) {
      const { arguments: args = NO_ARGUMENTS } = call;
      const values = readers.map((read) => read(args, call));
      const rest = endsInRest ? values.pop() : undefined;
      return owner[method](...values, ...(Array.isArray(rest) ? (rest as unknown[]) : []));
    };
  }
  return function invokeMethod(call) {
    const { arguments: args = NO_ARGUMENTS } = call;
    if (first === undefined) return owner[method]();
    if (second === undefined) return owner[method](first(args, call));
    if (third === undefined) return owner[method](first(args, call), second(args, call));
    return owner[method](first(args, call), second(args, call), third(args, call));
  };
}

function createReader(
  parameter: HandlerParameter,
  { createContext, cursors }: ParameterSources,
  maxChars: number,
  cursorNames: readonly string[],
): Reader {
  switch (parameter.from) {
    case "arguments":
      return parameter.omitEmpty
        ? (args) => (Object.keys(args).every((name) => cursorNames.includes(name)) ? undefined : args)
        : (args) => args;
    case "argument": {
      const { name } = parameter;
      // `args` may be the client's object. Inherited members are not arguments.
      return (args) => getOwnMember(args, name);
    }
    case "context":
      if (createContext === undefined)
        throw createMissingFeatureError("creates the `Context` of its handlers");
      return (_args, call) => createContext(call);
    case "signal":
      return (_args, call) => call.signal;
    case "principal": {
      const { optional = false } = parameter;
      return (_args, call) => call.peer.principal ?? (optional ? undefined : rejectAnonymous());
    }
    case "cursor":
      if (cursors === undefined) throw createMissingFeatureError("creates the `Cursor` of its handlers");
      return cursors.createReader(parameter, maxChars);
  }
}

function rejectAnonymous(): never {
  throw new ToolError("This call requires an authenticated caller. Log in and try again.");
}

/** A handler of the runtime itself, without an author's method: every caller may call it. */
export const OWN_HANDLER: Omit<Handler, "invoke"> = {
  options: {},
  owner: {},
  usesContext: false,
  canBeDisabled: false,
  isEnabled: () => true,
  authorizesArguments: false,
  allows: () => true,
};
