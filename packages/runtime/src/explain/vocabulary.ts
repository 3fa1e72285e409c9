/**
 * How the runtime reads a schema to say what is wrong with a refused value: one rule for each keyword. A server
 * has the rules for the keywords that its schemas use.
 * @module
 */
import type { ValidationError } from "../assembly/application.js";
import type { JsonSchema, JsonTypeName } from "../protocol/json-schema.js";
import type { Input } from "../manifest.js";

export interface Vocabulary {
  /** For the keywords that a schema has, in the order in which problems are told. */
  rulesOf(schema: JsonSchema): readonly Rule[];
  /** Whether a value is the one that `enum` or `const` names. */
  equal(left: unknown, right: unknown): boolean;
  /** What a value must be, in a few words. */
  describe(schema: JsonSchema, scope: Scope, references?: number): string;
  /** The same of an object, as such or by what tells it apart. */
  describeObject(schema: JsonSchema): string;
  /** A value of each format, for messages. */
  readonly examples: Readonly<Record<string, string>>;
  /** The value as the schema would have it. */
  read(schema: JsonSchema, value: unknown, reading: Reading): unknown;
  readonly allowances?: Allowances | undefined;
  /** The value at a place in `data`, for a message. */
  show(value: unknown, steps: Steps, data: unknown, root: JsonSchema): string;
  /** The problems of a validator that reports them itself. */
  translate?(errors: readonly ValidationError[], data: unknown, scope: Scope): Problem[];
}

/** What is taken for the value that a client could not send, where the build's profile says so. */
export interface Allowances {
  /** True when `null` stands for a member that is left out. */
  isAbsent(schema: JsonSchema, name: string, member: unknown, reading: Reading): boolean;
  /** One item as the array that was wanted, where it would do as the only item. */
  asArray(schema: JsonSchema, value: unknown, reading: Reading): unknown;
}

/** What stays the same while a value is held against a schema. */
export interface Scope {
  /** Where references lead. */
  readonly root: JsonSchema;
  readonly vocabulary: Vocabulary;
  /** What has been found out already. */
  known?: Known | undefined;
}

/** By value and by schema. */
export type Known = Map<unknown, Map<unknown, unknown>>;

/** What stays the same while one value is read. */
export interface Reading extends Scope {
  readonly allows: Input["allows"];
  /** How many values may still come out of JSON inside strings. */
  left: number;
  /** How many arrays are being put around the value. */
  wraps?: number;
}

export interface Search extends Scope {
  found: Problem[];
  /** Where the search is. */
  readonly path: (string | number)[];
  /** The definitions that a value has been held against. */
  looked?: Map<object, Set<JsonSchema>>;
  /** Beyond so many problems the rest is not looked for. */
  readonly most: number;
}

/** Member names and indices, outermost first. */
export type Steps = readonly (string | number)[];

/**
 * What stands after "must"; of a missing or unknown member, what follows its name. Put together only where told.
 *
 * @param noun what members of the object are called, such as `"argument"`
 */
export type Words = (noun: string) => string;

export interface Problem {
  /** Where the value is. */
  readonly steps: Steps;
  readonly value: unknown;
  readonly keyword: string;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  readonly words: Words;
  /** The name of what is missing or must not be there. */
  readonly member?: string;
}

/**
 * What is wrong with a value itself, by the keyword's own value; what is wrong inside of it goes to the search.
 */
type Check<Limit, Value> = (
  limit: Limit,
  value: Value,
  schema: JsonSchema,
  search: Search,
) => Words | false | undefined | void;

export interface Rule<Limit = never, Value = never> {
  readonly keyword: string;
  /** The type of value to which it says something. */
  readonly only: JsonTypeName | "any";
  readonly check: Check<Limit, Value>;
}
