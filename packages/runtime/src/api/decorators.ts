import "reflect-metadata/lite";
import type { PromptOptions, ResourceOptions, ToolOptions } from "./options.js";
import { type DecoratorTarget, type RecordedOptions, recordOptions } from "./recorded-options.js";

/**
 * Fits methods and classes, under `experimentalDecorators` and under standard decorators. The last two
 * parameters are loose because the two kinds disagree on them; `apply` tells them apart.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Decorator = (target: any, context?: any, descriptor?: any) => void;

/**
 * Serves a method as a tool. On a class, the method named `call` is served, under the class's name.
 * Schemas come from the method's types when the project is built; nothing is inspected at run time.
 *
 * What the method returns, by its type: a string is text; what is assignable to `Content`, to a list of it and of
 * strings, or to `ToolResult`, is content, whatever it is called; anything else is data, sent as `structuredContent`
 * with an output schema, and as JSON text. Of `{ n: number } | ToolResult` the schema is that of the data, and of
 * `ToolResult<T>` that of `T`. Members that content does not have are left out.
 *
 * Only what the type declares is sent: of `{ name, passwordHash }` returned as `{ name: string }`, the name. Of a union,
 * that is what any of its members declares; an index signature, `object` and `unknown` send everything.
 *
 * An override keeps the decorator of the method that it overrides, unless it has its own. A function may make a
 * decorator if that is all it does: `const Lookup = () => Tool({ readOnly: true })`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @example
 * \@Tool({ readOnly: true })
 * current(city: string, units: "metric" | "imperial" = "metric"): Promise<Conditions> { … }
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the class that is decorated, which only its author knows
export function Tool<This = any>(options: ToolOptions<This> = {}): Decorator {
  return record({ kind: "tool" }, options);
}

/**
 * Serves a method as a prompt. On a class, the method named `get` is served.
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
 * Serves a method as a resource or, when the URI has `{variables}`, as a resource template whose variables
 * are the method's parameters. On a class, the method named `read` is served. Templates are those of RFC 6570: `{name}`
 * is one text without slashes, `{+path}` one that may have them or be empty, `{ids}` and `{/path*}` are lists where the
 * parameters are arrays.
 *
 * A method that returns `undefined` or `null` has found nothing: its client is told that there is no such resource. A
 * `NotFoundError` says the same in words of its own.
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
      // A standard decorator sees the function but not its class, so the record waits for the first `this`.
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
