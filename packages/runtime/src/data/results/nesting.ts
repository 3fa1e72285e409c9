import { ToolError } from "../../api/errors.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { toWrittenJson } from "./json-text.js";

/** Maximum nesting depth of objects and arrays in the data of a result. Many JSON parsers reject deeper data. */
export const MAX_RESULT_DEPTH = 1000;

/** The depth that never overflows the stack, whatever the types of the data. */
const SAFE_DEPTH = 250;

/** Returns whether a schema allows data of any depth: it refers to itself, or has a part without a type. */
export function allowsAnyDepth(schema: JsonSchema | undefined): boolean {
  return (
    schema === undefined || /"\$ref"|\{\}|"(?:items|additionalProperties)":true/.test(JSON.stringify(schema))
  );
}

/**
 * Limits the depth of the data that a function returns.
 *
 * @returns a function that throws a ToolError with the limit
 */
export function limitDepth(write: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    let written: unknown;
    try {
      written = write(value);
    } catch (error) {
      // Data that is too deep also overflows the stack. If alternatives are converted, fewer levels do.
      const isDeep = error instanceof RangeError && isDeeperThan(value, SAFE_DEPTH, new Set());
      // Data that contains itself overflows it as well, and writing the data explains where.
      if (error instanceof RangeError && !isDeep) toWrittenJson(value);
      if (!isDeep) throw error;
      if (isDeeperThan(value, MAX_RESULT_DEPTH, new Set())) throw createTooDeepError();
      throw new ToolError(`The result is nested too deeply to be converted: more than ${SAFE_DEPTH} levels.`);
    }
    if (isDeeperThan(written, MAX_RESULT_DEPTH, new Set())) throw createTooDeepError();
    return written;
  };
}

function createTooDeepError(): ToolError {
  return new ToolError(`The result is nested more than ${MAX_RESULT_DEPTH} levels deep, which is the limit.`);
}

/** Returns whether a value has more than some levels of containers. Each one is visited once. */
function isDeeperThan(value: unknown, depth: number, visited: Set<object>): boolean {
  if (typeof value !== "object" || value === null || visited.has(value)) return false;
  if (depth === 0) return true;
  visited.add(value);
  return listParts(value).some((part) => isDeeperThan(part, depth - 1, visited));
}

function listParts(value: object): readonly unknown[] {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)].flat();
  return value instanceof Set ? [...(value as Set<unknown>)] : Object.values(value);
}
