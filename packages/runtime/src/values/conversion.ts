/**
 * Carries out the compiler's `Conversion`s: JSON to JavaScript values for arguments, JavaScript values to JSON for
 * results.
 * @module
 */
import { joinPath, listed } from "../explain/issues.js";
import { createScope } from "../explain/keywords/table.js";
import { fits } from "../explain/search.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import { type Conversion, isScalarConversion, type ScalarPlan } from "../manifest.js";
import { isObject } from "../protocol/jsonrpc.js";
import { ConversionProblem, convertScalar, type Direction } from "./scalar-conversions.js";
import { isScalarValue } from "./scalar-values.js";

/** Targets of `{ kind: "ref" }`, by name. */
export type Conversions = Record<string, Conversion>;

/** A string that cannot be parsed, such as `"soon"` for a `Date`; or a value without JSON, such as an invalid `Date`. */
export interface ConversionFailure {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  /** Such as `"must be a date"`. */
  readonly problem: string;
}

/** What could not be converted, all of it. */
export class ConversionError extends Error {
  override name = "ConversionError";

  constructor(readonly failures: readonly ConversionFailure[]) {
    const issues = listed(failures, ({ path, problem }) => {
      return `${path.length > 0 ? `\`${joinPath(path)}\`` : "the value"} ${problem}`;
    });
    super(issues.join("; "));
  }
}

/** What stays the same while one value is converted. */
interface Run {
  readonly named: Conversions;
  readonly direction: Direction;
  /** Where the conversion is. */
  readonly path: (string | number)[];
  readonly failures: ConversionFailure[];
  /** What the values of unions have come to, by value and by conversion: each alternative around them needs them again. */
  readonly known: Map<object, Map<Conversion, unknown>>;
}

/**
 * Validated JSON, as the JavaScript value that a handler declares.
 *
 * @throws ConversionError when a string cannot be parsed.
 * @example
 * fromJson({ kind: "date" }, "2026-07-28T00:00:00Z") // Date
 */
export function fromJson(conversion: Conversion, value: unknown, named: Conversions = {}): unknown {
  return convertAll(conversion, value, named, "fromJson");
}

/**
 * A handler's value as JSON.
 *
 * @throws ConversionError for an invalid `Date`.
 * @example
 * toJson({ kind: "set" }, new Set(["a"])) // ["a"]
 */
export function toJson(conversion: Conversion, value: unknown, named: Conversions = {}): unknown {
  return convertAll(conversion, value, named, "toJson");
}

function convertAll(
  conversion: Conversion,
  value: unknown,
  named: Conversions,
  direction: Direction,
): unknown {
  const run: Run = { named, direction, path: [], failures: [], known: new Map() };
  const converted = convert(conversion, valueAt(value, run), run);
  if (run.failures.length > 0) throw new ConversionError(run.failures);
  return converted;
}

function convert(conversion: Conversion, value: unknown, run: Run): unknown {
  if (isScalarConversion(conversion)) return scalarOf(conversion, value, run);
  switch (conversion.kind) {
    case "array":
      return Array.isArray(value)
        ? value.map((item, index) => convertPart(index, conversion.items, item, run))
        : value;
    case "tuple":
      return convertTuple(conversion, value, run);
    case "set":
      return convertSet(conversion, value, run);
    case "map":
      return convertMap(conversion, value, run);
    case "object":
      return convertObject(conversion, value, run);
    case "union":
      return run.direction === "fromJson"
        ? unionFromJson(conversion, value, run)
        : unionToJson(conversion, value, run);
    case "ref": {
      const target = Object.hasOwn(run.named, conversion.name) ? run.named[conversion.name] : undefined;
      if (target === undefined) throw new Error(`The manifest has no conversion "${conversion.name}".`);
      return convert(target, value, run);
    }
    default:
      return conversion satisfies never;
  }
}

/**
 * What a handler's value is as JSON: an object with a `toJSON` is what that gives, which is asked once, as
 * `JSON.stringify` does.
 */
function valueAt(value: unknown, { direction, path }: Run): unknown {
  if (direction === "fromJson" || !hasToJson(value)) return value;
  const given = value.toJSON(String(path.at(-1) ?? ""));
  if (!hasToJson(given)) return given;
  const { toJSON: _, ...members } = given;
  return members;
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return isObject(value) && typeof value.toJSON === "function" && isJson(value);
}

/** @param conversion where there is none, the value is JSON on both sides */
function convertPart(
  step: string | number,
  conversion: Conversion | null | undefined,
  value: unknown,
  run: Run,
): unknown {
  if (!conversion) return value;
  run.path.push(step);
  const converted = convert(conversion, valueAt(value, run), run);
  run.path.pop();
  return converted;
}

function scalarOf({ kind, limits }: ScalarPlan, value: unknown, { direction, path, failures }: Run): unknown {
  const converted = convertScalar(kind, direction, value, limits);
  if (!(converted instanceof ConversionProblem)) return converted;
  failures.push({ path: [...path], value, problem: converted.problem });
  return undefined;
}

function convertTuple(
  { items, rest, last = [] }: Extract<Conversion, { kind: "tuple" }>,
  value: unknown,
  run: Run,
): unknown {
  if (!Array.isArray(value)) return value;
  const end = Math.max(items.length, value.length - last.length);
  return value.map((item, index) => {
    const conversion = index < items.length ? items[index] : index < end ? rest : last[index - end];
    return convertPart(index, conversion, item, run);
  });
}

function convertSet(conversion: Extract<Conversion, { kind: "set" }>, value: unknown, run: Run): unknown {
  const { direction } = run;
  if (direction === "fromJson" ? !Array.isArray(value) : !(value instanceof Set)) return value;
  const members = Array.from(value as Iterable<unknown>, (item, index) =>
    convertPart(index, conversion.items, item, run),
  );
  return direction === "fromJson" ? new Set(members) : members;
}

function convertMap(conversion: Extract<Conversion, { kind: "map" }>, value: unknown, run: Run): unknown {
  const { direction, path } = run;
  const entries = mapEntries(conversion, value, direction);
  if (entries === undefined) return value;
  const { keys, values } = conversion;
  const isByName = conversion.object === true;
  const converted = entries.map(([key, item], index): [unknown, unknown] => {
    path.push(isByName ? String(key) : index);
    // A pair is an array of two.
    const pair: [unknown, unknown] = isByName
      ? [keys ? convert(keys, key, run) : key, values ? convert(values, valueAt(item, run), run) : item]
      : [convertPart(0, keys, key, run), convertPart(1, values, item, run)];
    path.pop();
    return pair;
  });
  if (direction === "fromJson") return new Map(converted);
  if (!isByName) return converted;
  const hasNames = converted.every(([key]) => typeof key === "string");
  return hasNames ? Object.fromEntries(converted as [string, unknown][]) : value;
}

function mapEntries(
  conversion: Extract<Conversion, { kind: "map" }>,
  value: unknown,
  direction: Direction,
): [unknown, unknown][] | undefined {
  if (direction === "toJson") return value instanceof Map ? [...(value as Map<unknown, unknown>)] : undefined;
  if (conversion.object === true) return isObject(value) ? Object.entries(value) : undefined;
  return Array.isArray(value) ? (value as [unknown, unknown][]) : undefined;
}

function convertObject(
  conversion: Extract<Conversion, { kind: "object" }>,
  value: unknown,
  run: Run,
): unknown {
  if (!isObject(value) || !isJson(value)) return value;
  const { properties, patterns = [], additional } = conversion;
  const matchers = patterns.map(([pattern, each]) => ({ pattern: new RegExp(pattern, "u"), each }));
  const conversionOf = (name: string): Conversion | null | undefined => {
    if (Object.hasOwn(properties, name)) return properties[name];
    const matching = matchers.find(({ pattern }) => pattern.test(name));
    return matching ? matching.each : additional;
  };
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      return [name, member === undefined ? member : convertPart(name, conversionOf(name), member, run)];
    }),
  );
}

type Union = Extract<Conversion, { kind: "union" }>;

function unionFromJson(conversion: Union, value: unknown, run: Run): unknown {
  for (const { when, convert: branchConversion } of conversion.branches) {
    if (matches(when, value)) return branchConversion ? convert(branchConversion, value, run) : value;
  }
  return value;
}

function unionToJson(conversion: Union, value: unknown, run: Run): unknown {
  if (typeof value !== "object" || value === null) return anyToJson(conversion, value, run);
  const results = run.known.get(value) ?? new Map<Conversion, unknown>();
  run.known.set(value, results);
  if (!results.has(conversion)) results.set(conversion, anyToJson(conversion, value, run));
  return results.get(conversion);
}

/** The branches describe JSON, so each is tried and judged by the JSON it gives. */
function anyToJson(conversion: Union, value: unknown, run: Run): unknown {
  const tried: { when: JsonSchema; json: unknown }[] = [];
  for (const { when, convert: branchConversion } of conversion.branches) {
    const json = branchConversion ? convert(branchConversion, value, run) : value;
    if (!isJson(json)) continue;
    if (matches(when, json)) return json;
    tried.push({ when, json });
  }
  // Few values have an `undefined` that matters, so that they are looked through only when nothing else is left.
  for (const { when, json } of tried) {
    const written = withoutUndefined(json);
    if (written !== json && matches(when, written)) return written;
  }
  return value;
}

/** Without `undefined`, as JSON is: in a list it is `null`, and a member that has no other value is left out. */
function withoutUndefined(json: unknown): unknown {
  if (Array.isArray(json)) {
    const items = json.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
    return items.some((item, index) => item !== json[index]) ? items : json;
  }
  if (!isObject(json) || !isJson(json)) return json;
  const all = Object.entries(json);
  const members = all.flatMap(([name, member]) =>
    member === undefined ? [] : [[name, withoutUndefined(member)] as const],
  );
  const isSame = members.length === all.length && members.every(([name, member]) => member === json[name]);
  return isSame ? json : Object.fromEntries(members);
}

function matches(when: JsonSchema, value: unknown): boolean {
  return fits(when, value, createScope(when));
}

/** False for values that only a conversion makes JSON of. */
function isJson(value: unknown): boolean {
  return !(value instanceof Set || value instanceof Map || isScalarValue(value));
}
