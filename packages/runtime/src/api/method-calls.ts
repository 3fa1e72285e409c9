/**
 * The types of calls to an author's method from outside: its arguments by name, and its result as JSON. They type the
 * calls in tests and views. `.tenon/server.d.ts` adds the names of the arguments, which the types of methods lack.
 * @module
 */
import type { Content, ToolResult } from "../protocol/specification.js";

/** Method of an author's class. */
export type Method = (...args: never[]) => unknown;

/** The index of each argument's parameter; `[1]` for a rest parameter. A number if one parameter receives all arguments. */
export type ParameterIndexes = Record<string, number | [number]> | number;

type At<Parameters extends readonly unknown[], Index> = Index extends [infer Rest extends number]
  ? Parameters[Rest][]
  : Index extends number
    ? Parameters[Index]
    : never;

type Named<Parameters extends readonly unknown[], Names> = {
  [Name in keyof Names as undefined extends At<Parameters, Names[Name]> ? never : Name]: At<
    Parameters,
    Names[Name]
  >;
} & {
  [Name in keyof Names as undefined extends At<Parameters, Names[Name]> ? Name : never]?: At<
    Parameters,
    Names[Name]
  >;
};

/** Arguments of a method by name, as clients send them. */
export type ArgumentsOf<Handler extends Method, Indexes extends ParameterIndexes> = Indexes extends number
  ? NonNullable<Parameters<Handler>[Indexes]>
  : Named<Parameters<Handler>, Indexes>;

/** JSON type that a value is sent as: dates as text, maps as objects, sets as arrays. */
export type JsonOf<Value> = unknown extends Value
  ? unknown
  : Value extends Date | URL | bigint | Uint8Array | RegExp
    ? string
    : Value extends ReadonlyMap<infer Key, infer Item>
      ? Key extends string
        ? Record<Key, JsonOf<Item>>
        : [JsonOf<Key>, JsonOf<Item>][]
      : Value extends ReadonlySet<infer Item>
        ? JsonOf<Item>[]
        : Value extends Method
          ? never
          : Value extends object
            ? { [Name in keyof Value]: JsonOf<Value[Name]> }
            : Value;

/** Value that clients receive from a tool whose method returns this type. */
export type ToolValue<Returned> = [Returned] extends [void]
  ? undefined
  : [Returned] extends [ToolResult<infer Data>]
    ? unknown extends Data
      ? Content[]
      : JsonOf<Data>
    : [Returned] extends [Content | Blob | readonly (Content | Blob)[]]
      ? Content[]
      : JsonOf<Returned>;
