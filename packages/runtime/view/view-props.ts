/**
 * The types of views, derived from the methods of tools. `.tenon/server.d.ts` declares which method each tool calls, and
 * the names of its arguments, which types of methods do not contain.
 * @module
 */
import type { ArgumentsOf, JsonOf, Method, ParameterIndexes, ToolValue } from "@tenon/runtime/testing";
import type { ViewClient } from "./view-client.js";
import type { ViewError } from "./view-error.js";

/** The tools of the project's server, declared in `.tenon/server.d.ts`. */
export interface ViewTools {}

/** A tool, and the method that it calls. */
export interface ViewTool<
  Owner,
  Name extends MethodName<Owner>,
  Indexes extends ParameterIndexes,
  Visibility extends "both" | "model" | "app" = "both",
> {
  readonly owner: Owner;
  readonly method: Name;
  readonly input: JsonOf<ArgumentsOf<MethodOf<Owner, Name>, Indexes>>;
  readonly result: ToolValue<Awaited<ReturnType<MethodOf<Owner, Name>>>>;
  readonly visibility: Visibility;
}

/** Names of the methods of a class. */
export type MethodName<Owner> = {
  [Name in keyof Owner]: Owner[Name] extends Method ? Name : never;
}[keyof Owner] &
  string;

type MethodOf<Owner, Name extends keyof Owner> = Extract<Owner[Name], Method>;

/** Names of the tools that a method serves; `string` before the project is first compiled. */
type ToolsOf<Owner, Name extends MethodName<Owner>> = [KnownTools<Owner, Name>] extends [never]
  ? string
  : KnownTools<Owner, Name>;

type KnownTools<Owner, Name extends MethodName<Owner>> = {
  [Tool in keyof ViewTools]: ViewTools[Tool] extends { owner: infer Known; method: Name }
    ? [Known, Owner] extends [Owner, Known]
      ? Tool
      : never
    : never;
}[keyof ViewTools];

type InputOf<Tool> = Tool extends keyof ViewTools
  ? ViewTools[Tool] extends { input: infer Input }
    ? Input
    : never
  : // oxlint-disable-next-line typescript/no-explicit-any -- the names of arguments are known after the first build
    Record<string, any>;

/**
 * Props of the component that shows the results of a tool. `state` shows how far the call has progressed:
 *
 * - `"waiting"`: the call is not finished; the host may still be receiving `input`
 * - `"ready"`: `result` is what the method returned, as JSON
 * - `"failed"`: `error` has the message of the tool
 * - `"cancelled"`: there will be no result
 *
 * For a static method, write `ViewProps<typeof Weather, "forecast">`.
 *
 * @example
 * export default function Forecast({ input, result }: ViewProps<Weather, "forecast">) {
 *   if (!result) return <p>Looking up {input.city}…</p>;
 *   return <ul>{result.days.map((day) => <li key={day.date}>{day.celsius} °C</li>)}</ul>;
 * }
 */
export type ViewProps<Owner, Name extends MethodName<Owner>> =
  Name extends MethodName<Owner>
    ? PropsOf<ToolsOf<Owner, Name>, ToolValue<Awaited<ReturnType<MethodOf<Owner, Name>>>>>
    : never;

type PropsOf<Tool, Result> = Tool extends string
  ? { readonly tool: Tool; readonly app: ViewApp } & (
      | {
          readonly state: "waiting";
          readonly input: Partial<InputOf<Tool>>;
          readonly result?: undefined;
          readonly error?: undefined;
        }
      | {
          readonly state: "ready";
          readonly input: InputOf<Tool>;
          readonly result: Result;
          readonly error?: undefined;
        }
      | {
          readonly state: "failed";
          readonly input: Partial<InputOf<Tool>>;
          readonly result?: undefined;
          readonly error: ViewError;
        }
      | {
          readonly state: "cancelled";
          readonly input: Partial<InputOf<Tool>>;
          readonly result?: undefined;
          readonly error?: undefined;
        }
    )
  : never;

/** Functions that call the tools which views may call. */
export type ViewCalls = keyof ViewTools extends never
  ? // oxlint-disable-next-line typescript/no-explicit-any -- the tools are known after the first build
    any
  : {
      readonly [
        Tool in keyof ViewTools as ViewTools[Tool] extends { visibility: "model" } ? never : Tool
      ]: ViewTools[Tool] extends {
        input: infer Input;
        result: infer Result;
      }
        ? Record<string, never> extends Input
          ? (args?: Input) => Promise<Result>
          : (args: Input) => Promise<Result>
        : never;
    };

/** Requests of a view to its host and its server. */
export type ViewApp = Omit<ViewClient, "call" | "subscribe"> & {
  /**
   * Calls tools of this server. Each function accepts the arguments of its tool and returns its value.
   *
   * @throws ViewError if the tool fails, or the host does not allow calls
   */
  readonly call: ViewCalls;
};

/**
 * The `app` of a view that changes the document by itself: `export default function mount(root, app)`.
 *
 * @example
 * export default function mount(root: HTMLElement, app: MountedApp<Weather, "forecast">) {
 *   app.subscribe(({ result }) => { root.textContent = result ? `${result.days.length} days` : "…"; });
 * }
 */
export type MountedApp<Owner, Name extends MethodName<Owner>> = ViewApp & {
  /** Exists only in types: the tools that show the view. */
  readonly tools?: readonly ToolsOf<Owner, Name>[];
  /** Calls a function with the props, now and whenever they change. Returns a function that ends this. */
  subscribe(listener: (props: ViewProps<Owner, Name>) => void): () => void;
};
