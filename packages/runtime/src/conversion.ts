/**
 * Carries out the compiler's `Conversion` plans: JSON to JavaScript values for arguments, JavaScript values to
 * JSON for results.
 * @module
 */
import { fullVocabulary } from "./explain/create-vocabulary.js";
import { fits } from "./explain/problems.js";
import type { JsonSchema } from "./json-schema.js";
import type { Conversion } from "./manifest.js";
import { isObject } from "./jsonrpc.js";

/** Targets of `{ kind: "ref" }`, by name. */
export type Conversions = Record<string, Conversion>;

/** The text is of the right type, but does not stand for a value, such as `"soon"` for a `Date`. */
export class ConversionError extends Error {
  override name = "ConversionError";
  /** Outermost first. */
  readonly path: (string | number)[] = [];
}

type Direction = "fromJson" | "toJson";

/**
 * The JavaScript value that validated JSON stands for.
 *
 * @throws ConversionError when a text does not stand for a value of its kind.
 * @example
 * fromJson({ kind: "date" }, "2026-07-28T00:00:00Z") // Date
 */
export function fromJson(plan: Conversion, value: unknown, named: Conversions = {}): unknown {
  return convert(plan, value, named, "fromJson");
}

/**
 * The JSON that stands for a handler's value.
 *
 * @example
 * toJson({ kind: "set" }, new Set(["a"])) // ["a"]
 */
export function toJson(plan: Conversion, value: unknown, named: Conversions = {}): unknown {
  return convert(plan, value, named, "toJson");
}

function convert(plan: Conversion, value: unknown, named: Conversions, way: Direction): unknown {
  switch (plan.kind) {
    case "date":
    case "url":
    case "bigint":
    case "bytes":
    case "regexp":
      return SCALARS[plan.kind][way](value);
    case "array":
      return Array.isArray(value)
        ? value.map((item, index) => at(index, () => convert(plan.items, item, named, way)))
        : value;
    case "tuple":
      return convertTuple(plan, value, named, way);
    case "set":
      return convertSet(plan, value, named, way);
    case "map":
      return convertMap(plan, value, named, way);
    case "object":
      return convertObject(plan, value, named, way);
    case "union":
      return way === "fromJson" ? unionFromJson(plan, value, named) : unionToJson(plan, value, named);
    case "ref": {
      const target = Object.hasOwn(named, plan.name) ? named[plan.name] : undefined;
      if (target === undefined) throw new Error(`The manifest has no conversion "${plan.name}".`);
      return convert(target, value, named, way);
    }
  }
}

type Scalar = "date" | "url" | "bigint" | "bytes" | "regexp";

const SCALARS: Record<Scalar, Record<Direction, (value: unknown) => unknown>> = {
  date: {
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      const date = new Date(value);
      if (Number.isNaN(date.getTime())) throw new ConversionError("must be a date");
      return date;
    },
    toJson: (value) => (value instanceof Date ? dateText(value) : value),
  },
  url: {
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      if (!URL.canParse(value)) throw new ConversionError("must be a URL");
      return new URL(value);
    },
    toJson: (value) => (value instanceof URL ? value.href : value),
  },
  bigint: {
    fromJson: (value) => {
      if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
      if (typeof value !== "string") return value;
      if (!/^-?\d{1,4096}$/.test(value)) throw new ConversionError("must be a whole number");
      return BigInt(value);
    },
    toJson: (value) => (typeof value === "bigint" ? value.toString() : value),
  },
  bytes: {
    fromJson: (value) => (typeof value === "string" ? Buffer.from(value, "base64") : value),
    toJson: (value) => (isBytes(value) ? base64(value) : value),
  },
  regexp: {
    fromJson: (value) => {
      if (typeof value !== "string") return value;
      try {
        return new RegExp(value, "u");
      } catch {
        throw new ConversionError("must be a regular expression");
      }
    },
    toJson: (value) => (value instanceof RegExp ? value.source : value),
  },
};

/** Bytes in any of their JavaScript forms. */
export function isBytes(value: unknown): value is Uint8Array | ArrayBuffer {
  return value instanceof Uint8Array || value instanceof ArrayBuffer;
}

export function base64(bytes: Uint8Array | ArrayBuffer): string {
  return bytes instanceof ArrayBuffer
    ? Buffer.from(bytes).toString("base64")
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new ConversionError("is an invalid Date");
  return date.toISOString();
}

function convertTuple(
  { items, rest, last = [] }: Extract<Conversion, { kind: "tuple" }>,
  value: unknown,
  named: Conversions,
  way: Direction,
): unknown {
  if (!Array.isArray(value)) return value;
  const end = Math.max(items.length, value.length - last.length);
  return value.map((item, index) => {
    const plan = index < items.length ? items[index] : index < end ? rest : last[index - end];
    return plan ? at(index, () => convert(plan, item, named, way)) : item;
  });
}

function convertSet(
  plan: Extract<Conversion, { kind: "set" }>,
  value: unknown,
  named: Conversions,
  way: Direction,
): unknown {
  if (way === "fromJson" ? !Array.isArray(value) : !(value instanceof Set)) return value;
  const { items } = plan;
  const members = Array.from(value as Iterable<unknown>, (item, index) =>
    items ? at(index, () => convert(items, item, named, way)) : item,
  );
  return way === "fromJson" ? new Set(members) : members;
}

function convertMap(
  plan: Extract<Conversion, { kind: "map" }>,
  value: unknown,
  named: Conversions,
  way: Direction,
): unknown {
  const entries = mapEntries(plan, value, way);
  if (entries === undefined) return value;
  const { keys, values } = plan;
  const converted = entries.map(([key, item], index): [unknown, unknown] => [
    keys ? at(index, () => convert(keys, key, named, way)) : key,
    values ? at(typeof key === "string" ? key : index, () => convert(values, item, named, way)) : item,
  ]);
  if (way === "fromJson") return new Map(converted);
  return plan.object === true ? Object.fromEntries(converted as [string, unknown][]) : converted;
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

function convertObject(
  plan: Extract<Conversion, { kind: "object" }>,
  value: unknown,
  named: Conversions,
  way: Direction,
): unknown {
  if (!isObject(value)) return value;
  const { properties, patterns = [], additional } = plan;
  const planOf = (name: string): Conversion | null | undefined => {
    if (Object.hasOwn(properties, name)) return properties[name];
    const matching = patterns.find(([pattern]) => new RegExp(pattern, "u").test(name));
    return matching ? matching[1] : additional;
  };
  // `fromEntries` defines members, where assignment would let a member called `__proto__` set the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const memberPlan = planOf(name);
      if (!memberPlan || member === undefined) return [name, member];
      return [name, at(name, () => convert(memberPlan, member, named, way))];
    }),
  );
}

function unionFromJson(
  plan: Extract<Conversion, { kind: "union" }>,
  value: unknown,
  named: Conversions,
): unknown {
  for (const { when, convert: branchPlan } of plan.branches) {
    if (isMeant(when, value)) return branchPlan ? convert(branchPlan, value, named, "fromJson") : value;
  }
  return value;
}

/** The branches describe JSON, so each is tried and judged by the JSON it gives. */
function unionToJson(
  plan: Extract<Conversion, { kind: "union" }>,
  value: unknown,
  named: Conversions,
): unknown {
  for (const { when, convert: branchPlan } of plan.branches) {
    const json = branchPlan ? convert(branchPlan, value, named, "toJson") : value;
    if (isPlain(json) && isMeant(when, json)) return json;
  }
  return value;
}

function isMeant(when: JsonSchema, value: unknown): boolean {
  return fits(when, value, { root: when, vocabulary: fullVocabulary });
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

function at<T>(step: string | number, convertPart: () => T): T {
  try {
    return convertPart();
  } catch (error) {
    if (error instanceof ConversionError) error.path.unshift(step);
    throw error;
  }
}
