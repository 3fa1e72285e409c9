import "reflect-metadata/lite";
import type { PromptOptions, ResourceOptions, ToolOptions } from "./options.js";
import { type DecoratorTarget, type RecordedOptions, recordOptions } from "./recorded-options.js";

/**
 * A decorator for methods and classes, with `experimentalDecorators` and with standard decorators. The last two
 * parameters are untyped because their types differ between the two kinds.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Decorator = (target: any, context?: any, descriptor?: any) => void;

/**
 * Serves a method as a tool. On a class, it serves the method named `call`, under the name of the class. Tenon derives
 * the schemas from the types of the method when the project is built; nothing is inspected at run time.
 *
 * The return type decides how the result is sent. A string is text. A type that is assignable to `Content`, to a list
 * of content and strings, or to `ToolResult` is content. Everything else is data: `structuredContent` with an output
 * schema, and the same data as JSON text. For `{ n: number } | ToolResult`, the output schema describes the data, which
 * a `ToolResult` without an error must then contain as well; for `ToolResult<T>`, it describes `T`.
 *
 * Tenon sends only declared members: if a method of type `{ name: string }` returns `{ name, passwordHash }`, only the
 * name is sent. For a union, these are the members of the alternative that the value fits. An index signature,
 * `object`, and `unknown` send everything.
 *
 * An overriding method keeps the decorator of the overridden one, unless it has its own. A function may return a
 * decorator if it does nothing else: `const Lookup = () => Tool({ readOnly: true })`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @example
 * \@Tool({ readOnly: true, openWorld: true })
 * current(city: string, units: "metric" | "imperial" = "metric"): Promise<Conditions> { … }
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the class that is decorated, which only its author knows
export function Tool<This = any>(options: ToolOptions<This> = {}): Decorator {
  return record({ kind: "tool" }, options);
}

/**
 * Serves a method as a prompt. On a class, it serves the method named `get`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @example
 * \@Prompt()
 * plan(city: string, days?: number) { return `Plan ${days ?? 3} days in ${city}.`; }
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the class that is decorated, which only its author knows
export function Prompt<This = any>(options: PromptOptions<This> = {}): Decorator {
  return record({ kind: "prompt" }, options);
}

/**
 * Serves a method as a resource. A URI with `{variables}` makes it a resource template, whose variables are the
 * parameters of the method. On a class, it serves the method named `read`. Templates follow RFC 6570: `{name}` is text
 * without slashes, `{+path}` is text that may be empty or contain slashes, and `{ids}` and `{/path*}` are lists if the
 * parameters are arrays.
 *
 * If the method returns `undefined` or `null`, the client receives "not found". To use your own message, throw a
 * `NotFoundError`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @example
 * \@Resource("climate://{city}/{year}")
 * report(city: string, year: number): string | undefined { return this.reports.get(`${city} ${year}`); }
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the class that is decorated, which only its author knows
export function Resource<This = any>(uri: string, options: ResourceOptions<This> = {}): Decorator {
  return record({ kind: "resource", uri }, options);
}

function record(target: DecoratorTarget, options: RecordedOptions): Decorator {
  const recorded = { ...target, options };
  return (
    decorated: object,
    context?: string | symbol | ClassMethodDecoratorContext | ClassDecoratorContext,
  ) => {
    if (typeof context === "object" && context.kind === "method") {
      // A standard decorator sees the function but not its class, so the options are recorded when `this` becomes
      // available.
      const { name } = context;
      context.addInitializer(function (this: unknown) {
        recordOptions(recorded, this as object, name);
      });
    } else if (typeof context === "string" || typeof context === "symbol") {
      recordOptions(recorded, decorated, context);
    } else {
      recordOptions(recorded, decorated);
    }
  };
}
