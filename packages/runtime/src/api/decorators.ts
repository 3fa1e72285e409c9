import "reflect-metadata/lite";
import type { CacheOptions } from "./define-server.js";
import type { Annotations, Icon } from "../protocol/specification.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { UnknownArguments } from "../manifest.js";

/** Said of a tool, prompt or resource. Plain data, read at build time. */
export interface DescribedOptions {
  /** Defaults to the method's name. */
  name?: string;
  /** Shown to people instead of the name. */
  title?: string;
  /** Defaults to the JSDoc of the method (or, in the class form, of the class). */
  description?: string;
  icons?: Icon[];
  /** Sent as `_meta`, untouched. */
  meta?: Record<string, unknown>;
}

export interface ToolOptions extends DescribedOptions {
  /** The tool changes nothing (`readOnlyHint`). */
  readOnly?: boolean;
  /** The tool may delete or overwrite (`destructiveHint`). */
  destructive?: boolean;
  /** Calling twice with the same arguments does no more than calling once (`idempotentHint`). */
  idempotent?: boolean;
  /** The tool reaches beyond this server's own data (`openWorldHint`). */
  openWorld?: boolean;
  /** Replaces the derived schema, verbatim. */
  inputSchema?: JsonSchema;
  /** Replaces the derived schema, verbatim. */
  outputSchema?: JsonSchema;
  /** What to do with arguments the schema does not name. Default: as `defineServer` says, or else `"reject"`. */
  unknownArguments?: UnknownArguments;
  /**
   * The tool may take long, so that clients which know tasks get one at once and its result later. `"required"`
   * refuses other clients of 2026-07-28. Default: no tasks.
   *
   * @see https://modelcontextprotocol.io/extensions/tasks
   */
  task?: "optional" | "required";
  /** When the task begins: with the call, or when the handler says so (`Context.startTask`). Default `"call"`. */
  taskStart?: "call" | "handler";
  /** Behaviour: false hides the tool and refuses calls to it. Asked on every list and call. */
  enabled?: () => boolean;
}

export interface PromptOptions extends DescribedOptions {
  /** Behaviour: suggestions for an argument, by argument name. */
  complete?: Completers;
  /** Behaviour: false hides the prompt. */
  enabled?: () => boolean;
}

export interface ResourceOptions extends DescribedOptions {
  mimeType?: string;
  /** In bytes, when known beforehand. */
  size?: number;
  annotations?: Annotations;
  /** How long clients may keep what it holds. By default not at all. */
  cache?: CacheOptions;
  /** Behaviour: suggestions for a URI variable, by variable name. */
  complete?: Completers;
  /** Behaviour, templates only: the concrete resources to list. */
  list?: () => ListedResource[] | Promise<ListedResource[]>;
  /** Behaviour: false hides the resource. */
  enabled?: () => boolean;
}

/** A concrete resource of a template, as its `list` behaviour reports it. */
export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Annotations;
}

/** Returns suggestions that start with (or otherwise fit) `value`; `others` are the arguments already filled in. */
export type Completers = Record<
  string,
  (value: string, others: Record<string, string>) => string[] | Promise<string[]>
>;

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
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 * @example
 * class Weather {
 *   /** Current conditions for a city. *\/
 *   @Tool({ readOnly: true })
 *   current(city: string): Promise<Conditions> { … }
 * }
 */
export function Tool(options: ToolOptions = {}): Decorator {
  return mark(options);
}

/**
 * Serves a method as a prompt. On a class, the method named `get` is served.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 * @example
 * @Prompt()
 * plan(city: string, days?: number) { return `Plan ${days ?? 3} days in ${city}.`; }
 */
export function Prompt(options: PromptOptions = {}): Decorator {
  return mark(options);
}

/**
 * Serves a method as a resource or, when the URI has `{variables}`, as a resource template whose variables
 * are the method's parameters. On a class, the method named `read` is served.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 * @example
 * @Resource("climate://{city}/{year}")
 * report(city: string, year: number): string { … }
 */
export function Resource(uri: string, options: ResourceOptions = {}): Decorator {
  return mark({ ...options, uri });
}

/** What a decorator recorded: the options as written. The runtime reads behaviour and `cache`; the manifest holds the rest. */
export type RecordedOptions = ToolOptions & PromptOptions & ResourceOptions & { uri?: string };

/** A global symbol, so that two copies of this package in one process read each other's records. */
const OPTIONS = Symbol.for("tenon.options");

/**
 * What the decorators recorded for one method of an instance (or, for a static method, of the class).
 *
 * @example
 * recordedOptions(new Weather(), "current") // { readOnly: true }
 */
export function recordedOptions(owner: object, method: string): RecordedOptions | undefined {
  const onMethod: unknown = Reflect.getMetadata(OPTIONS, owner, method);
  const onClass: unknown = Reflect.getMetadata(
    OPTIONS,
    typeof owner === "function" ? owner : owner.constructor,
  );
  return (onMethod ?? onClass) as RecordedOptions | undefined;
}

function mark(options: RecordedOptions): Decorator {
  return (
    target: object,
    context?: string | symbol | ClassMethodDecoratorContext | ClassDecoratorContext,
  ) => {
    if (typeof context === "object" && context.kind === "method") {
      // A standard decorator sees the function but not its class, so the record waits for the first `this`.
      const { name } = context;
      context.addInitializer(function (this: unknown) {
        Reflect.defineMetadata(OPTIONS, options, this as object, name);
      });
    } else if (typeof context === "string" || typeof context === "symbol") {
      Reflect.defineMetadata(OPTIONS, options, target, context);
    } else {
      Reflect.defineMetadata(OPTIONS, options, target);
    }
  };
}
