import { Members, Raw } from "./text.mjs";

/** @import { Random } from "./random.mjs" */

/** Names with a meaning in JavaScript, or similar to names with a meaning in a server. */
export const NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "then",
  "toString",
  "toJSON",
  "hasOwnProperty",
  "valueOf",
  "length",
  "Name",
  "NAME",
  "name\u0000",
  " name",
  "n\u0430me",
  "Method",
  "method\u0000",
  "ID",
  "params ",
  "",
  "\u202ename",
  "a\u0000b",
  "0",
];

const SCALARS = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e308,
  5e-324,
  "",
  " ",
  "0",
  "true",
  "null",
  "[object Object]",
  "\u0000",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u2028\u2029",
  "\u001b[2J\u202e",
  "../../../../etc/passwd",
  "file:///etc/passwd",
  "%00%ff%",
  "{{",
  "${7*7}",
  "'; DROP TABLE book; --",
  "1e999",
  "NaN",
  "9007199254740993",
  "2026-02-30T25:61:61Z",
  "=?base64?AA?=",
];

const NUMBERS = [
  "1e999",
  "-1e999",
  "1".repeat(400),
  `0.${"0".repeat(400)}1`,
  "-0",
  "1E+2",
  "9007199254740993",
];

/** Generates any value. @param {Random} random @returns {unknown} */
export function junk(random) {
  /** @type {[weight: number, () => unknown][]} */
  const choices = [
    [50, () => random.pick(SCALARS)],
    [6, () => random.pick(NAMES)],
    [6, () => new Raw(random.pick(NUMBERS))],
    [8, () => []],
    [8, () => ({})],
    [8, () => Array.from({ length: random.below(5) }, () => junk(random))],
    [10, () => junkObject(random)],
    [2, () => "x".repeat(random.below(5000))],
    [1, () => new Raw(nested(random))],
    [0.1, () => "€".repeat(random.below(100_000))],
    [0.1, () => Array.from({ length: random.below(20_000) }, (_, index) => index)],
  ];
  return random.weighted(choices)();
}

/** @param {Random} random @returns {Members} */
function junkObject(random) {
  const count = random.below(4);
  return new Members(Array.from({ length: count }, () => [random.pick(NAMES), junk(random)]));
}

/** Generates containers that are nested up to the limits of parsers. @param {Random} random */
function nested(random) {
  const depth = random.pick([10, 255, 256, 257, 1000, 10_000, 50_000]);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"__proto__":', "}]"],
  ]);
  return `${open.repeat(depth)}0${close.repeat(depth)}`;
}

/**
 * Generates a value for a JSON Schema, valid or invalid.
 *
 * @param {any} schema
 * @param {Random} random
 * @param {number} wrong How likely each part is to be junk.
 * @returns {unknown}
 */
export function fromSchema(schema, random, wrong) {
  if (random.chance(wrong)) return junk(random);
  if (schema?.const !== undefined) return schema.const;
  if (Array.isArray(schema?.enum)) return random.pick(schema.enum);
  const alternatives = schema?.anyOf ?? schema?.oneOf;
  if (Array.isArray(alternatives)) return fromSchema(random.pick(alternatives), random, wrong);
  switch (Array.isArray(schema?.type) ? random.pick(schema.type) : schema?.type) {
    case "object":
      return objectFrom(schema, random, wrong);
    case "array":
      return Array.from({ length: random.below(4) }, () => fromSchema(schema.items, random, wrong));
    case "integer":
    case "number":
      // Small, because some are the duration of a tool in seconds.
      return (schema.minimum ?? 0) + (schema.type === "integer" ? random.below(3) : random.next() / 50);
    case "boolean":
      return random.chance(0.5);
    case "string":
      return random.pick(["", "a", "Oslo", "2026-07-28", "a@example.com", random.pick(NAMES)]);
    default:
      return junk(random);
  }
}

/** @param {any} schema @param {Random} random @param {number} wrong */
function objectFrom(schema, random, wrong) {
  /** @type {[string, unknown][]} */
  const members = [];
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    const isNeeded = schema.required?.includes(name) === true;
    if (!random.chance(isNeeded ? 1 - wrong / 2 : 0.6)) continue;
    members.push([name, fromSchema(each, random, wrong)]);
    if (random.chance(wrong / 2)) members.push([lookalike(name, random), junk(random)]);
  }
  if (random.chance(wrong)) members.push([random.pick(NAMES), junk(random)]);
  return new Members(members);
}

/** Returns a name that is similar to another. @param {string} name @param {Random} random */
export function lookalike(name, random) {
  return random.pick([
    name,
    name.toUpperCase(),
    `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}`,
    `${name}\u0000`,
    ` ${name}`,
    name.replace("a", "\u0430"),
    `${name}\u200b`,
  ]);
}
