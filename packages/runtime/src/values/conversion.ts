/**
 * Carries out the compiler's `Conversion` plans: JSON to JavaScript values for arguments, JavaScript values to
 * JSON for results.
 * @module
 */
import { joinPath, listed } from "../explain/issues.js";
import { createScope } from "../explain/keywords/table.js";
import { fits } from "../explain/search.js";
import type { JsonSchema } from "../protocol/json-schema.js";
import type { Conversion } from "../manifest.js";
import { isObject } from "../protocol/jsonrpc.js";
import { type Direction, isBytes, Refusal, type Scalar, SCALARS } from "./scalar-conversions.js";

/** Targets of `{ kind: "ref" }`, by name. */
export type Conversions = Record<string, Conversion>;

/** A text of the right type that does not stand for a value, such as `"soon"` for a `Date`. */
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
  readonly way: Direction;
  /** Where the conversion is. */
  readonly path: (string | number)[];
  readonly failures: ConversionFailure[];
  /** What the values of unions have come to, by value and by plan: each alternative around them asks again. */
  readonly known: Map<object, Map<Conversion, unknown>>;
}

/**
 * The JavaScript value that validated JSON stands for.
 *
 * @throws ConversionError when a text does not stand for a value of its kind.
 * @example
 * fromJson({ kind: "date" }, "2026-07-28T00:00:00Z") // Date
 */
export function fromJson(plan: Conversion, value: unknown, named: Conversions = {}): unknown {
  return convertAll(plan, value, named, "fromJson");
}

/**
 * The JSON that stands for a handler's value.
 *
 * @throws ConversionError for a `Date` that is none.
 * @example
 * toJson({ kind: "set" }, new Set(["a"])) // ["a"]
 */
export function toJson(plan: Conversion, value: unknown, named: Conversions = {}): unknown {
  return convertAll(plan, value, named, "toJson");
}

function convertAll(plan: Conversion, value: unknown, named: Conversions, way: Direction): unknown {
  const run: Run = { named, way, path: [], failures: [], known: new Map() };
  const converted = convert(plan, value, run);
  if (run.failures.length > 0) throw new ConversionError(run.failures);
  return converted;
}

function convert(plan: Conversion, value: unknown, run: Run): unknown {
  switch (plan.kind) {
    case "date":
    case "url":
    case "bigint":
    case "bytes":
    case "regexp":
      return convertScalar(plan.kind, value, run);
    case "array":
      return Array.isArray(value)
        ? value.map((item, index) => convertPart(index, plan.items, item, run))
        : value;
    case "tuple":
      return convertTuple(plan, value, run);
    case "set":
      return convertSet(plan, value, run);
    case "map":
      return convertMap(plan, value, run);
    case "object":
      return convertObject(plan, value, run);
    case "union":
      return run.way === "fromJson" ? unionFromJson(plan, value, run) : unionToJson(plan, value, run);
    case "ref": {
      const target = Object.hasOwn(run.named, plan.name) ? run.named[plan.name] : undefined;
      if (target === undefined) throw new Error(`The manifest has no conversion "${plan.name}".`);
      return convert(target, value, run);
    }
    default:
      return plan satisfies never;
  }
}

/** @param plan where there is none, JSON is what the handler has */
function convertPart(
  step: string | number,
  plan: Conversion | null | undefined,
  value: unknown,
  run: Run,
): unknown {
  if (!plan) return value;
  run.path.push(step);
  const converted = convert(plan, value, run);
  run.path.pop();
  return converted;
}

function convertScalar(kind: Scalar, value: unknown, { way, path, failures }: Run): unknown {
  const converted = SCALARS[kind][way](value);
  if (!(converted instanceof Refusal)) return converted;
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
    const plan = index < items.length ? items[index] : index < end ? rest : last[index - end];
    return convertPart(index, plan, item, run);
  });
}

function convertSet(plan: Extract<Conversion, { kind: "set" }>, value: unknown, run: Run): unknown {
  const { way } = run;
  if (way === "fromJson" ? !Array.isArray(value) : !(value instanceof Set)) return value;
  const members = Array.from(value as Iterable<unknown>, (item, index) =>
    convertPart(index, plan.items, item, run),
  );
  return way === "fromJson" ? new Set(members) : members;
}

function convertMap(plan: Extract<Conversion, { kind: "map" }>, value: unknown, run: Run): unknown {
  const { way, path } = run;
  const entries = mapEntries(plan, value, way);
  if (entries === undefined) return value;
  const { keys, values } = plan;
  const isByName = plan.object === true;
  const converted = entries.map(([key, item], index): [unknown, unknown] => {
    path.push(isByName ? String(key) : index);
    // A pair is an array of two.
    const pair: [unknown, unknown] = isByName
      ? [keys ? convert(keys, key, run) : key, values ? convert(values, item, run) : item]
      : [convertPart(0, keys, key, run), convertPart(1, values, item, run)];
    path.pop();
    return pair;
  });
  if (way === "fromJson") return new Map(converted);
  if (!isByName) return converted;
  const hasNames = converted.every(([key]) => typeof key === "string");
  return hasNames ? Object.fromEntries(converted as [string, unknown][]) : value;
}

function mapEntries(
  plan: Extract<Conversion, { kind: "map" }>,
  value: unknown,
  way: Direction,
): [unknown, unknown][] | undefined {
  if (way === "toJson") return value instanceof Map ? [...(value as Map<unknown, unknown>)] : undefined;
  if (plan.object === true) return isObject(value) ? Object.entries(value) : undefined;
  return Array.isArray(value) ? (value as [unknown, unknown][]) : undefined;
}

function convertObject(plan: Extract<Conversion, { kind: "object" }>, value: unknown, run: Run): unknown {
  if (!isObject(value) || !isPlain(value)) return value;
  const { properties, patterns = [], additional } = plan;
  const matchers = patterns.map(([pattern, each]) => ({ pattern: new RegExp(pattern, "u"), each }));
  const planOf = (name: string): Conversion | null | undefined => {
    if (Object.hasOwn(properties, name)) return properties[name];
    const matching = matchers.find(({ pattern }) => pattern.test(name));
    return matching ? matching.each : additional;
  };
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      return [name, member === undefined ? member : convertPart(name, planOf(name), member, run)];
    }),
  );
}

type Union = Extract<Conversion, { kind: "union" }>;

function unionFromJson(plan: Union, value: unknown, run: Run): unknown {
  for (const { when, convert: branchPlan } of plan.branches) {
    if (isMeant(when, value)) return branchPlan ? convert(branchPlan, value, run) : value;
  }
  return value;
}

function unionToJson(plan: Union, value: unknown, run: Run): unknown {
  if (typeof value !== "object" || value === null) return anyToJson(plan, value, run);
  const results = run.known.get(value) ?? new Map<Conversion, unknown>();
  run.known.set(value, results);
  if (!results.has(plan)) results.set(plan, anyToJson(plan, value, run));
  return results.get(plan);
}

/** The branches describe JSON, so each is tried and judged by the JSON it gives. */
function anyToJson(plan: Union, value: unknown, run: Run): unknown {
  for (const { when, convert: branchPlan } of plan.branches) {
    const json = branchPlan ? convert(branchPlan, value, run) : value;
    if (isPlain(json) && isMeant(when, json)) return json;
  }
  return value;
}

function isMeant(when: JsonSchema, value: unknown): boolean {
  return fits(when, value, createScope(when));
}

/** False for what only a conversion makes JSON of. */
function isPlain(value: unknown): boolean {
  if (typeof value === "bigint") return false;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
  return !(
    value instanceof Date ||
    value instanceof URL ||
    value instanceof Set ||
    value instanceof Map ||
    value instanceof RegExp ||
    isBytes(value)
  );
}
