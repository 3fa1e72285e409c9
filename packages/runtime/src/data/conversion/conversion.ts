/**
 * Performs the compiler's `Conversion`s: from JSON to JavaScript values for arguments, and from JavaScript values to
 * JSON for results.
 * @module
 */
import { createScope } from "../problems/keywords/table.js";
import { fits } from "../problems/search.js";
import { type Conversion, type FileLimits, isScalarConversion, type ScalarPlan } from "../../manifest.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { ConversionError, type ConversionFailure } from "./conversion-error.js";
import { type Candidate, findFullest, findNearest } from "./fullest-candidate.js";
import { ConversionProblem, convertScalar, type Direction } from "./scalar-conversions.js";
import { isJson } from "./scalar-values.js";
import { withoutUndefined } from "./without-undefined.js";

/** Targets of `{ kind: "ref" }`, by name. */
export type Conversions = Record<string, Conversion>;

/** Reads a file from a JSON value. Returns a `ConversionProblem` if it cannot, and values of other types unchanged. */
export type ReadFile = (value: unknown, limits?: FileLimits) => unknown;

/** State shared by all steps of converting one value. */
interface Run {
  readonly named: Conversions;
  readonly direction: Direction;
  /** Path from the root to the current value. */
  readonly path: (string | number)[];
  readonly failures: ConversionFailure[];
  /** Reads files. Absent in servers without files in arguments, and in conversions to JSON. */
  readonly readFile: ReadFile | undefined;
  /** Results for the values of unions, by value and conversion. Each enclosing alternative needs them again. */
  readonly known: Map<object, Map<Conversion, unknown>>;
}

/**
 * Converts validated JSON to the JavaScript value that a handler declares.
 *
 * @param readFile reads files; without it, they remain text
 * @throws ConversionError if a string cannot be parsed
 * @example
 * fromJson({ kind: "date" }, "2026-07-28T00:00:00Z") // Date
 */
export function fromJson(
  conversion: Conversion,
  value: unknown,
  named: Conversions = {},
  readFile?: ReadFile,
): unknown {
  return convertAll(conversion, value, named, "fromJson", readFile);
}

/**
 * Converts a handler's value to JSON.
 *
 * @throws ConversionError for a value that JSON cannot represent, such as an invalid `Date`
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
  readFile?: ReadFile,
): unknown {
  const run: Run = { named, direction, path: [], failures: [], readFile, known: new Map() };
  const converted = convert(conversion, getValueAt(value, run), run);
  if (run.failures.length > 0) throw new ConversionError(run.failures);
  return converted;
}

function convert(conversion: Conversion, value: unknown, run: Run): unknown {
  if (isScalarConversion(conversion)) return toScalar(conversion, value, run);
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
        ? convertUnionFromJson(conversion, value, run)
        : convertUnionToJson(conversion, value, run);
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
 * In a conversion to JSON, replaces an object that has a `toJSON` method with that method's result. Calls the method
 * once, as `JSON.stringify` does.
 */
function getValueAt(value: unknown, { direction, path }: Run): unknown {
  if (direction === "fromJson" || !hasToJson(value)) return value;
  const given = value.toJSON(String(path.at(-1) ?? ""));
  if (!hasToJson(given)) return given;
  const { toJSON: _, ...members } = given;
  return members;
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  return isObject(value) && typeof value.toJSON === "function" && isJson(value);
}

/**
 * Converts a part of a value.
 *
 * @param conversion if absent, the value needs no conversion
 */
function convertPart(
  step: string | number,
  conversion: Conversion | null | undefined,
  value: unknown,
  run: Run,
): unknown {
  if (!conversion) return value;
  run.path.push(step);
  const converted = convert(conversion, getValueAt(value, run), run);
  run.path.pop();
  return converted;
}

function toScalar({ kind, limits, file }: ScalarPlan, value: unknown, run: Run): unknown {
  const { direction, path, failures, readFile = keepValue } = run;
  const converted = kind === "file" ? readFile(value, file) : convertScalar(kind, direction, value, limits);
  if (!(converted instanceof ConversionProblem)) return converted;
  failures.push({ path: [...path], value, problem: converted.problem });
  return undefined;
}

function keepValue(value: unknown): unknown {
  return value;
}

function convertTuple(
  { items, rest, last = [], defaults = {} }: Extract<Conversion, { kind: "tuple" }>,
  value: unknown,
  run: Run,
): unknown {
  if (!Array.isArray(value)) return value;
  const end = Math.max(items.length, value.length - last.length);
  const elements = [...(value as unknown[])];
  // Validators apply only the defaults of properties.
  if (run.direction === "fromJson")
    while (Object.hasOwn(defaults, elements.length))
      elements.push(structuredClone(defaults[elements.length]));
  return elements.map((item, index) => {
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
  if (direction === "toJson") return members;
  const set = new Set(members);
  if (set.size < members.length) reportDuplicate("item", value, run);
  return set;
}

function convertMap(conversion: Extract<Conversion, { kind: "map" }>, value: unknown, run: Run): unknown {
  const { direction, path } = run;
  const entries = getMapEntries(conversion, value, direction);
  if (entries === undefined) return value;
  const { keys, values } = conversion;
  const isByName = conversion.object === true;
  const converted = entries.map(([key, item], index): [unknown, unknown] => {
    path.push(isByName ? String(key) : index);
    // Otherwise, JSON represents the map as an array of pairs.
    const pair: [unknown, unknown] = isByName
      ? [keys ? convert(keys, key, run) : key, values ? convert(values, getValueAt(item, run), run) : item]
      : [convertPart(0, keys, key, run), convertPart(1, values, item, run)];
    path.pop();
    return pair;
  });
  if (direction === "fromJson") {
    const map = new Map(converted);
    if (map.size < converted.length) reportDuplicate("key", value, run);
    return map;
  }
  if (!isByName) return converted;
  // JSON omits members that are `undefined`, but the keys of a map are data.
  for (const pair of converted) pair[1] ??= null;
  const hasNames = converted.every(([key]) => typeof key === "string");
  return hasNames ? Object.fromEntries(converted as [string, unknown][]) : value;
}

/** Reports parts that differ in JSON but not after conversion, such as the bigints `1` and `01`. */
function reportDuplicate(part: "item" | "key", value: unknown, { path, failures }: Run): void {
  failures.push({ path: [...path], value, problem: `must not contain the same ${part} twice` });
}

function getMapEntries(
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
  const findConversion = (name: string): Conversion | null | undefined => {
    if (Object.hasOwn(properties, name)) return properties[name];
    const matching = matchers.find(({ pattern }) => pattern.test(name));
    return matching ? matching.each : additional;
  };
  // Assignment would let a member named `__proto__` set the prototype; `fromEntries` defines the member.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      return [name, member === undefined ? member : convertPart(name, findConversion(name), member, run)];
    }),
  );
}

type Union = Extract<Conversion, { kind: "union" }>;

function convertUnionFromJson(conversion: Union, value: unknown, run: Run): unknown {
  for (const { when, convert: branchConversion } of conversion.branches) {
    if (fits(when, value, createScope(when)))
      return branchConversion ? convert(branchConversion, value, run) : value;
  }
  return value;
}

function convertUnionToJson(conversion: Union, value: unknown, run: Run): unknown {
  if (typeof value !== "object" || value === null) return convertFitting(conversion, value, run);
  const results = run.known.get(value) ?? new Map<Conversion, unknown>();
  run.known.set(value, results);
  if (!results.has(conversion)) results.set(conversion, convertFitting(conversion, value, run));
  return results.get(conversion);
}

/** Tries each branch, and validates its result, because the conditions of the branches describe JSON. */
function convertFitting(conversion: Union, value: unknown, run: Run): unknown {
  const tried: Candidate[] = [];
  function* convertBranches(): Generator<Candidate> {
    for (const { when, convert: branchConversion } of conversion.branches) {
      const json = branchConversion ? convert(branchConversion, value, run) : value;
      if (!isJson(json)) continue;
      tried.push({ when, json });
      yield { when, json };
    }
  }
  const fitting = findFullest(convertBranches());
  if (fitting) return fitting.json;
  // `undefined` rarely matters, so it is removed only if nothing else matched.
  const written = tried.map(({ when, json }) => ({ when, json: withoutUndefined(json) }));
  const spare = findFullest(written.filter(({ json }, index) => json !== tried[index]?.json));
  return (spare ?? (isObject(value) ? findNearest(tried) : undefined))?.json ?? value;
}
