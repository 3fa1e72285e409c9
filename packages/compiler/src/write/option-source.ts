import type { Prompt, Resource, ResourceTemplate, Tool } from "@tenon/runtime/manifest";
import { propertyName } from "./type-source.js";

/** Options of a decorator, of which those that are undefined are left out. */
export type DecoratorOptions = Readonly<Record<string, unknown>>;

/**
 * The options of a decorator as source; undefined where there are none.
 *
 * @example
 * optionsText({ name: "get-weather", readOnly: true, title: undefined }) // '{ name: "get-weather", readOnly: true }'
 */
export function optionsText(options: DecoratorOptions): string | undefined {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : valueText(Object.fromEntries(given));
}

/** @param carriesSchemas as they are, in place of types */
export function toolOptions(tool: Tool, method: string, carriesSchemas: boolean): DecoratorOptions {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint, title } = tool.annotations ?? {};
  return {
    ...ownName(tool.name, method),
    title: tool.title ?? title,
    readOnly: readOnlyHint,
    destructive: destructiveHint,
    idempotent: idempotentHint,
    openWorld: openWorldHint,
    task: taskSupportOf(tool),
    icons: tool.icons,
    meta: tool._meta,
    ...(carriesSchemas && { inputSchema: tool.inputSchema, outputSchema: tool.outputSchema }),
  };
}

/** As servers of 2025-11-25 say it. */
function taskSupportOf(tool: Tool & { execution?: { taskSupport?: string } }): string | undefined {
  const { taskSupport } = tool.execution ?? {};
  return taskSupport === "optional" || taskSupport === "required" ? taskSupport : undefined;
}

export function promptOptions({ name, title, icons, _meta }: Prompt, method: string): DecoratorOptions {
  return { ...ownName(name, method), title, icons, meta: _meta };
}

export function resourceOptions(resource: Resource | ResourceTemplate, method: string): DecoratorOptions {
  const { name, title, mimeType, icons, annotations, _meta } = resource;
  const size = "size" in resource ? resource.size : undefined;
  return { ...ownName(name, method), title, mimeType, size, annotations, icons, meta: _meta };
}

/** Most names are those of their methods. */
function ownName(name: string, method: string): DecoratorOptions {
  return { name: name === method ? undefined : name };
}

/** In an object, `__proto__` by itself would set the prototype. */
function memberName(name: string): string {
  return name === "__proto__" ? `["${name}"]` : propertyName(name);
}

/** @param isUntyped TypeScript does not know what the value is for, and would take a name of a type for any text */
function valueText(value: unknown, isUntyped = false): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each) => valueText(each, isUntyped)).join(", ")}]`;
  const members = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => {
      if (isUntyped && name === "type") return `type: ${constantText(each)}`;
      return `${memberName(name)}: ${valueText(each, isUntyped || name in Object.prototype)}`;
    });
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function constantText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(constantText).join(", ")}]`;
  return typeof value === "string" ? `${JSON.stringify(value)} as const` : valueText(value, true);
}
