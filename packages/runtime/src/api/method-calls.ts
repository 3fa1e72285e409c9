/**
 * The types of calls to an author's method from outside: its arguments by name, and its result as JSON. They type the
 * calls in tests and views. `.tenon/server.d.ts` adds the names of the arguments, which the types of methods lack.
 * @module
 */
import type { Content, ToolResult } from "../protocol/specification.js";

/** Method of an author's class. */
export type Method = (...args: never[]) => unknown;

/**
 * The index of each argument's parameter; `[1]` for a rest parameter, `"cursor"` for a cursor. A number if one parameter
 * receives all arguments, or `[0, "after"]` if there is a cursor `after` as well.
 */
export type ParameterIndexes = Record<string, number | [number] | "cursor"> | number | [number, string];

type At<Parameters extends readonly unknown[], Index> = Index extends [infer Rest extends number]
  ? Parameters[Rest][]
  : Index extends number
    ? Parameters[Index]
    : Index extends "cursor"
      ? string | undefined
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
  : Indexes extends [infer Whole extends number, infer Cursor extends string]
    ? NonNullable<Parameters<Handler>[Whole]> & { [Name in Cursor]?: string | undefined }
    : Named<Parameters<Handler>, Indexes>;

/** JSON type that a value is sent as: dates as text, maps as objects, sets as arrays, others as `toJSON` returns them. */
export type JsonOf<Value> = unknown extends Value
  ? unknown
  : Value extends Date | URL | bigint | Uint8Array | RegExp
    ? string
    : Value extends Scalar
      ? Value
      : Value extends ReadonlyMap<infer Key, infer Item>
        ? Key extends string
          ? Record<Key, JsonOf<Item>>
          : [JsonOf<Key>, JsonOf<Item>][]
        : Value extends ReadonlySet<infer Item>
          ? JsonItem<Item>[]
          : Value extends Method
            ? never
            : [Replacement<Value>] extends [never]
              ? Value extends readonly unknown[]
                ? { [Index in keyof Value]: JsonItem<Value[Index]> }
                : Value extends object
                  ? { [Name in keyof Value]: JsonOf<Value[Name]> }
                  : Value
              : JsonOf<Replacement<Value>>;

/** Stays as it is. A branded one is also an object. */
type Scalar = string | number | boolean;

/** The type that `toJSON` returns; never if there is no such method, or if it returns the value itself. */
type Replacement<Value> = Value extends { toJSON(...args: never[]): infer Json }
  ? [Value] extends [Json]
    ? never
    : Json
  : never;

/** JSON type of an item, or of a whole result: there, JSON has `null` instead of `undefined`. */
type JsonItem<Item> = JsonOf<Exclude<Item, undefined>> | (undefined extends Item ? null : never);

/** Value that clients receive from a tool whose method returns this type. */
export type ToolValue<Returned> = [Returned] extends [void]
  ? undefined
  : [Returned] extends [ToolResult<infer Data>]
    ? unknown extends Data
      ? Content[]
      : JsonOf<Data>
    : [Exclude<Returned, undefined>] extends [Content | Blob | readonly (Content | Blob)[]]
      ? Content[]
      : [Returned] extends [string | undefined]
        ? Exclude<Returned, undefined>
        : JsonItem<Returned>;
