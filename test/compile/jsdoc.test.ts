import type { JsonSchema } from "@tenon/runtime/manifest";
import { describe, expect, it, test } from "vitest";
import { documentation, tagText } from "../../packages/compiler/src/jsdoc/documentation.js";
import { createTypeProject } from "./type-project.js";

/** The comment stands before a property `it` of the given type; the expected schema is that property's. */
interface Case {
  comment: string;
  type?: string;
  declare?: string;
  schema: JsonSchema;
}

const text = (description: string): JsonSchema => ({ type: "string", description });

const letters: Record<string, Case> = {
  "one line": { comment: "/** City name or postal code */", schema: text("City name or postal code") },
  "several paragraphs": {
    comment: "/**\n * First line,\n * and second.\n *\n * Second paragraph.\n */",
    schema: text("First line,\nand second.\n\nSecond paragraph."),
  },
  "lists keep their indentation": {
    comment: "/**\n * One of:\n * - a\n *   - deeper\n * - b\n */",
    schema: text("One of:\n- a\n  - deeper\n- b"),
  },
  "code, with what looks like a tag": {
    comment: '/**\n * Example:\n * ```ts\n * @Tool()\n * @minimum 5\n * run("a");\n * ```\n */',
    schema: text('Example:\n```ts\n@Tool()\n@minimum 5\nrun("a");\n```'),
  },
  "words with an @ that are no tag": {
    comment: "/** Ask @channel or bob@example.com; see @here, the @default one and `@minimum 3`. */",
    schema: text("Ask @channel or bob@example.com; see @here, the @default one and `@minimum 3`."),
  },
  "a line that begins with such a word": {
    comment: "/**\n * Mentions like\n * @channel reach everybody.\n */",
    schema: text("Mentions like\n@channel reach everybody."),
  },
  "the end of a comment, escaped": { comment: "/** From /* to *\\/ */", schema: text("From /* to */") },
  "links to the letter": {
    comment: "/** As in {@link Other} and {@link https://example.com | there}. */",
    schema: text("As in {@link Other} and {@link https://example.com | there}."),
  },
  "a comment without stars": {
    comment: "/**\n  First.\n    Indented.\n  Last.\n*/",
    schema: text("First.\n  Indented.\nLast."),
  },
  "carriage returns": { comment: "/**\r\n * One\r\n * two\r\n */", schema: text("One\ntwo") },
  "markdown and other languages": {
    comment: "/** **Größe** in `cm` | _naïve_ 🙂 <b>x</b> \\d */",
    schema: text("**Größe** in `cm` | _naïve_ 🙂 <b>x</b> \\d"),
  },
  "the remarks are part of it": {
    comment: "/**\n * Short.\n *\n * @remarks\n * Long.\n */",
    schema: text("Short.\n\nLong."),
  },
  "the description may be a tag": { comment: "/** @description The id */", schema: text("The id") },
  "as openapi-typescript writes it": {
    comment:
      "/**\n * Format: email\n * @description Where to write to.\n *\n *     Any time.\n * @default ada@example.com\n * @example bob@example.com\n */",
    schema: {
      ...text("Format: email\n\nWhere to write to.\n\nAny time."),
      default: "ada@example.com",
      examples: ["bob@example.com"],
    },
  },
  "a summary stands for what is missing": {
    comment: "/** @summary Short. */",
    schema: text("Short."),
  },
  "a summary is left out beside the text": {
    comment: "/**\n * Long.\n * @summary Short.\n */",
    schema: text("Long."),
  },
  "tags of other tools are not": {
    comment: "/**\n * Text.\n * @see elsewhere\n * @since 1.2\n * @internal\n */",
    schema: text("Text."),
  },
  "text goes on behind a constraint": {
    comment: "/**\n * Before.\n * @minLength 2\n * After.\n */",
    schema: { type: "string", minLength: 2, description: "Before.\nAfter." },
  },
  "only the nearest comment counts": {
    comment: "/** Far. */\n/** Near. */",
    schema: text("Near."),
  },
  "a line comment is none": { comment: "// Not this.", schema: { type: "string" } },
  "no text at all": { comment: "/** */", schema: { type: "string" } },
  "blanks and escapes on one line": {
    comment: "/**  Any *\\/ path,\t`a/*` too.\t  */",
    schema: text(" Any */ path,\t`a/*` too."),
  },
};

const number = (rest: JsonSchema): JsonSchema => ({ type: "number", ...rest });

const constraints: Record<string, Case> = {
  numbers: {
    comment: "/** @minimum 1 @maximum 14 @multipleOf 0.5 */",
    type: "number",
    schema: number({ minimum: 1, maximum: 14, multipleOf: 0.5 }),
  },
  "exclusive bounds": {
    comment: "/**\n * @exclusiveMinimum -1.5\n * @exclusiveMaximum 1e3\n */",
    type: "number",
    schema: number({ exclusiveMinimum: -1.5, exclusiveMaximum: 1000 }),
  },
  "behind text on one line": {
    comment: "/** How many days @minimum 1 @maximum 14 @integer */",
    type: "number",
    schema: { type: "integer", minimum: 1, maximum: 14, description: "How many days" },
  },
  "behind a word that could lead to a mention": {
    comment: "/** What to sort by @minLength 3 @maxLength 20 */",
    schema: { type: "string", minLength: 3, maxLength: 20, description: "What to sort by" },
  },
  "behind a pronoun": {
    comment: "/** Who takes it @minLength 1 */",
    schema: { type: "string", minLength: 1, description: "Who takes it" },
  },
  "on a nullable": {
    comment: "/** @integer @minimum 0 */",
    type: "number | null",
    schema: { type: ["integer", "null"], minimum: 0 },
  },
  "on the number of a union": {
    comment: "/** @integer @minimum 1 */",
    type: 'number | "auto"',
    schema: {
      anyOf: [
        { type: "integer", minimum: 1 },
        { type: "string", enum: ["auto"] },
      ],
    },
  },
  strings: {
    comment: "/** @minLength 1 @maxLength 20 @format email */",
    schema: { type: "string", minLength: 1, maxLength: 20, format: "email" },
  },
  "a pattern, bare": {
    comment: "/** @pattern ^\\d{4}-\\d{2}$ */",
    schema: { type: "string", pattern: "^\\d{4}-\\d{2}$" },
  },
  "a pattern, in slashes": {
    comment: "/** @pattern /^a\\/b$/ */",
    schema: { type: "string", pattern: "^a/b$" },
  },
  "a pattern, in backticks, with an @": {
    comment: "/** @pattern `^[^@ ]+ @[a-z]+$` */",
    schema: { type: "string", pattern: "^[^@ ]+ @[a-z]+$" },
  },
  "a pattern beside a template type": {
    comment: "/** @pattern \\d$ */",
    type: "`user-${string}`",
    schema: { type: "string", pattern: "^(?=[\\s\\S]*?\\d$)user-[\\s\\S]*$" },
  },
  "a pattern that says all that a template type does": {
    comment: "/** @pattern ^0x[0-9a-f]{64}$ */",
    type: "`0x${string}`",
    schema: { type: "string", pattern: "^0x[0-9a-f]{64}$" },
  },
  "a pattern that seems to": {
    comment: "/** @pattern ^0x?[0-9a-f]+$ */",
    type: "`0x${string}`",
    schema: { type: "string", pattern: "^(?=0x?[0-9a-f]+$)0x[\\s\\S]*$" },
  },
  "a pattern that ends as a template type does": {
    comment: "/** @pattern ^[a-z]+\\.md$ */",
    type: "`${string}.md`",
    schema: { type: "string", pattern: "^[a-z]+\\.md$" },
  },
  "a pattern beside the pattern of its type": {
    declare: "/** @pattern b */ type HasB = string;",
    comment: "/** @pattern a */",
    type: "HasB",
    schema: { type: "string", pattern: "^(?=[\\s\\S]*?a)[\\s\\S]*?b" },
  },
  "alternatives beside a template type": {
    comment: "/** @pattern ^0x1|2$ */",
    type: "`0x${string}`",
    schema: { type: "string", pattern: "^(?=[\\s\\S]*?(?:^0x1|2$))0x[\\s\\S]*$" },
  },
  "patterns that each refer to groups of their own": {
    declare: "/** @pattern ^(?<q>[\"'])(\\d)(?<r>.)[(\\]1]\\2*\\k<q>\\k<r>\\1$ */ type Quoted = string;",
    comment: "/** @pattern ^(?<q>.)(?:(?<=a)|\\((?<!b)).*(.)\\2\\k<q>$ */",
    type: "Quoted",
    schema: {
      type: "string",
      pattern:
        "^(?=(?<q>.)(?:(?<=a)|\\((?<!b)).*(.)\\2\\k<q>$)" +
        "(?<q_>[\"'])(\\d)(?<r>.)[(\\]1]\\4*\\k<q_>\\k<r>\\3$",
    },
  },
  arrays: {
    comment: "/** @minItems 1 @maxItems 3 @uniqueItems */",
    type: "string[]",
    schema: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3, uniqueItems: true },
  },
  "a format of numbers": {
    comment: "/** @format int32 */",
    type: "number",
    schema: number({ format: "int32" }),
  },
  "a secret": { comment: "/** The key. @secret */", schema: { ...text("The key."), writeOnly: true } },
  "a title and a default behind text": {
    comment: '/** Favourite colour @title Colour Selection @default "Red" */',
    schema: { ...text("Favourite colour"), title: "Colour Selection", default: "Red" },
  },
  "everything on one line": {
    comment: "/** The id @title Id @minLength 2 @pattern ^[a-z]+$ @example ab @deprecated Use the key. */",
    schema: {
      ...text("The id"),
      title: "Id",
      minLength: 2,
      pattern: "^[a-z]+$",
      examples: ["ab"],
      deprecated: true,
    },
  },
  "a description behind a title, and a tag of another tool": {
    comment: "/** @title Id @description The id @minLength 2 @see elsewhere */",
    schema: { ...text("The id"), title: "Id", minLength: 2 },
  },
  "a title that speaks of a tag": {
    comment: "/** @title Set the @default value */",
    schema: { type: "string", title: "Set the @default value" },
  },
  "title and deprecated": {
    comment: "/** @title City @deprecated */",
    schema: { type: "string", title: "City", deprecated: true },
  },
};

const values: Record<string, Case> = {
  JSON: { comment: "/** @default 5 */", type: "number", schema: number({ default: 5 }) },
  "a word": {
    comment: "/** @default metric */",
    type: '"metric" | "imperial"',
    schema: { type: "string", enum: ["metric", "imperial"], default: "metric" },
  },
  "a word behind text": {
    comment: "/** The units @default metric */",
    schema: { ...text("The units"), default: "metric" },
  },
  "digits for a string": { comment: "/** @default 5 */", schema: { type: "string", default: "5" } },
  "single quotes": { comment: "/** @default 'x y' */", schema: { type: "string", default: "x y" } },
  backticks: { comment: "/** @default `x` */", schema: { type: "string", default: "x" } },
  "null and booleans": {
    comment: "/** @default null */",
    type: "boolean | null",
    schema: { type: ["boolean", "null"], default: null },
  },
  "an array": {
    comment: "/** @default [] */",
    type: "string[]",
    schema: { type: "array", items: { type: "string" }, default: [] },
  },
  "an object as TypeScript writes it": {
    comment: "/** @default { a: 1 } */",
    type: "{ a: number }",
    schema: {
      type: "object",
      properties: { a: { type: "number" } },
      required: ["a"],
      additionalProperties: false,
      default: { a: 1 },
    },
  },
  "an object over several lines": {
    comment: '/**\n * Text.\n * @default {\n *   "a": 1\n * }\n * More.\n */',
    type: "{ a: number }",
    schema: {
      type: "object",
      properties: { a: { type: "number" } },
      required: ["a"],
      additionalProperties: false,
      default: { a: 1 },
      description: "Text.\nMore.",
    },
  },
  "a member of an enum": {
    comment: "/** @default Unit.F */",
    type: "Unit",
    declare: 'enum Unit { C = "c", F = "f" }',
    schema: { type: "string", enum: ["c", "f"], default: "f" },
  },
  "a date": {
    comment: "/** @default 2026-01-01T00:00:00Z */",
    type: "Date",
    schema: { type: "string", format: "date-time", default: "2026-01-01T00:00:00Z" },
  },
  "examples, JSON where they parse": {
    comment: "/**\n * @example 5\n * @example 6\n */",
    type: "number",
    schema: number({ examples: [5, 6] }),
  },
  "examples, text where they do not": {
    comment: "/**\n * @example Oslo, Norway\n * @example ```\n * Two\n * lines\n * ```\n */",
    schema: { type: "string", examples: ["Oslo, Norway", "Two\nlines"] },
  },
};

const sources: Record<string, Case> = {
  "an alias of a primitive": {
    comment: "",
    type: "Percent",
    declare: "/** A percentage. @minimum 0 @maximum 100 */\ntype Percent = number;",
    schema: number({ minimum: 0, maximum: 100, description: "A percentage." }),
  },
  "an alias of an alias, completed and overridden": {
    comment: "/** Mine. @maximum 10 */",
    type: "Score",
    declare:
      "/** @minimum 0 @maximum 100 */\ntype Percent = number;\n/** A score. @integer */\ntype Score = Percent;",
    schema: { type: "integer", minimum: 0, maximum: 10, description: "Mine." },
  },
  "a brand that says what it is, and not what a brand is": {
    comment: "",
    type: "OrderId",
    declare:
      "/** Not to be mixed up. @minLength 1 @maxLength 9 */\ntype Brand<T, Name> = T & { readonly brand: Name };\n/** The id of an order. @maxLength 5 */\ntype OrderId = Brand<string, 'OrderId'>;",
    schema: { type: "string", minLength: 1, maxLength: 5, description: "The id of an order." },
  },
  "a brand that says nothing": {
    comment: "",
    type: "OrderId",
    declare:
      "/** Made of digits. */\ntype Brand<T, Name> = T & { readonly brand: Name };\ntype OrderId = Brand<string, 'OrderId'>;",
    schema: { type: "string", description: "Made of digits." },
  },
  "an alias in an array and in a union": {
    comment: "",
    type: "{ list: Id[]; one: Id | null }",
    declare: "/** An id. @minLength 3 */\ntype Id = string;",
    schema: {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "string", minLength: 3, description: "An id." } },
        one: { type: ["string", "null"], minLength: 3, description: "An id." },
      },
      required: ["list", "one"],
      additionalProperties: false,
    },
  },
  "an alias of a primitive that may be undefined": {
    comment: "",
    type: "{ one: Id | undefined; two?: Id | undefined; three: Perhaps<Id>; four: OptionalId; list: (Id | undefined)[] }",
    declare:
      "/** An id. @minLength 3 */\ntype Id = string;\ntype Perhaps<T> = T | undefined;\ntype OptionalId = undefined | Id;",
    schema: {
      type: "object",
      properties: {
        one: { type: "string", minLength: 3, description: "An id." },
        two: { type: "string", minLength: 3, description: "An id." },
        three: { type: "string", minLength: 3, description: "An id." },
        four: { type: "string", minLength: 3, description: "An id." },
        list: { type: "array", items: { type: "string", minLength: 3, description: "An id." } },
      },
      required: ["list"],
      additionalProperties: false,
    },
  },
  "an interface": {
    comment: "",
    type: "Address",
    declare: "/** Where to. */\ninterface Address { /** The street. */ street: string }",
    schema: {
      type: "object",
      properties: { street: text("The street.") },
      required: ["street"],
      additionalProperties: false,
      description: "Where to.",
    },
  },
  "an enum, and a member of it": {
    comment: "",
    type: "{ all: Sky; one: Sky.Clear }",
    declare: '/** The sky. */\nenum Sky { /** Blue. */ Clear = "clear", Grey = "grey" }',
    schema: {
      type: "object",
      properties: {
        all: { type: "string", enum: ["clear", "grey"], description: "The sky." },
        one: { type: "string", enum: ["clear"], description: "Blue." },
      },
      required: ["all", "one"],
      additionalProperties: false,
    },
  },
  "an enum or a choice that may be missing": {
    comment: "",
    type: "{ sky?: Sky; none: Sky | null; unit?: Unit | null; either: Sky | Unit }",
    declare: `/** The sky. */\nenum Sky { Clear = "clear", Grey = "grey" }
      /** The unit. */\ntype Unit = "c" | "f";`,
    schema: {
      type: "object",
      properties: {
        sky: { type: "string", enum: ["clear", "grey"], description: "The sky." },
        none: { type: ["string", "null"], enum: ["clear", "grey", null], description: "The sky." },
        unit: { type: ["string", "null"], enum: ["c", "f", null], description: "The unit." },
        either: { type: "string", enum: ["clear", "grey", "c", "f"] },
      },
      required: ["none", "either"],
      additionalProperties: false,
    },
  },
  "the members of a union": {
    comment: "/** Either. */",
    type: "Circle | Square",
    declare: "/** Round. */\ninterface Circle { r: number }\n/** Not. */\ninterface Square { w: number }",
    schema: {
      description: "Either.",
      anyOf: [
        {
          type: "object",
          properties: { r: { type: "number" } },
          required: ["r"],
          additionalProperties: false,
          description: "Round.",
        },
        {
          type: "object",
          properties: { w: { type: "number" } },
          required: ["w"],
          additionalProperties: false,
          description: "Not.",
        },
      ],
    },
  },
  "an inherited and an overridden member": {
    comment: "",
    type: "Narrow",
    declare:
      "interface Wide { /** From the base. @minimum 1 */ days: number; /** Base. */ note: string }\n" +
      'interface Narrow extends Wide { /** Mine. @maximum 9 */ days: number; note: "x" }',
    schema: {
      type: "object",
      properties: {
        days: number({ minimum: 1, maximum: 9, description: "Mine." }),
        note: { type: "string", enum: ["x"], description: "Base." },
      },
      required: ["days", "note"],
      additionalProperties: false,
    },
  },
  "members behind utility types": {
    comment: "",
    type: 'Partial<Pick<Row, "id">>',
    declare: "interface Row { /** The key. @format uuid */ id: string; note: string }",
    schema: {
      type: "object",
      properties: { id: { ...text("The key."), format: "uuid" } },
      additionalProperties: false,
    },
  },
  "an index signature, inherited and behind a utility type": {
    comment: "",
    type: "Readonly<Bill>",
    declare:
      "interface Prices { /** In euros. @minimum 0 */ [name: string]: number } interface Bill extends Prices {}",
    schema: {
      type: "object",
      properties: {},
      additionalProperties: { type: "number", minimum: 0, description: "In euros." },
    },
  },
  "what is said right before a type": {
    comment: "/** All. */",
    type: "{ a: /** @minItems 1 */ (/** @minLength 2 */ string)[]; b: Box</** @minimum 3 */ number> | null }",
    declare: "type Box<T> = [T, /** Its name. */ string];",
    schema: {
      type: "object",
      properties: {
        a: { type: "array", items: { type: "string", minLength: 2 }, minItems: 1 },
        b: {
          anyOf: [
            {
              type: "array",
              prefixItems: [
                { type: "number", minimum: 3 },
                { type: "string", description: "Its name." },
              ],
              items: { anyOf: [{ type: "number", minimum: 3 }, { type: "string" }] },
              minItems: 2,
              maxItems: 2,
            },
            { type: "null" },
          ],
        },
      },
      required: ["a", "b"],
      additionalProperties: false,
      description: "All.",
    },
  },
  "members that a mapped type makes something else of": {
    comment: "",
    type: '{ [K in keyof Row]?: "asc" | "desc" }',
    declare:
      "interface Row { /** The key. @minLength 9 @example a */ id: string; /** @minimum 3 */ size: number }",
    schema: {
      type: "object",
      properties: {
        id: { type: "string", enum: ["asc", "desc"], description: "The key." },
        size: { type: "string", enum: ["asc", "desc"] },
      },
      additionalProperties: false,
    },
  },
  "members that a mapped type wraps, and those that it writes as text": {
    comment: "",
    type: "Changes<Row>",
    declare: `interface Row { /** @minimum 3 */ size: number; /** @format date */ day: Date }
type Changes<T> = { [K in keyof T]: T[K] extends Date ? string : T[K][] }`,
    schema: {
      type: "object",
      properties: {
        size: { type: "array", items: { type: "number" } },
        day: { type: "string", format: "date" },
      },
      required: ["size", "day"],
      additionalProperties: false,
    },
  },
  "a constructor property": {
    comment: "",
    type: "Made",
    declare:
      "class Made {\n  /** @param id The id\n   * @param size The size. @minimum 1 */\n  constructor(public id: string, public size: number) {}\n}",
    schema: {
      type: "object",
      properties: { id: text("The id"), size: number({ minimum: 1, description: "The size." }) },
      required: ["id", "size"],
      additionalProperties: false,
    },
  },
  "not the library's own": {
    comment: "",
    type: "Partial<Record<string, string>>",
    schema: { type: "object", properties: {}, additionalProperties: { type: "string" } },
  },
  "beside a reference, a description and no more": {
    comment: "/** The next one. @deprecated */",
    type: "Chain",
    declare: "/** A chain. */\ninterface Chain { /** Follows. */ next?: Chain }",
    schema: { description: "The next one.", anyOf: [{ $ref: "#/$defs/Chain" }], deprecated: true },
  },
};

const groups = { letters, constraints, values, sources };
const cases = Object.entries(groups).flatMap(([group, list]) =>
  Object.entries(list).map(([title, each], index) => ({ group, title, each, file: `${group}-${index}` })),
);

const METHOD = `
export class Tools {
  /**
   * Books a trip.
   *
   * Any @word stays.
   *
   * @param city City name,
   *   or postal code
   * @param {number} days - How many. @minimum 1
   * @maximum 14
   * @param [note] A note
   * @mimeType text/markdown
   * @returns nothing
   */
  book(city: string, days: number, note?: string, /** Inline. */ tag?: string) {}

  /**
   * @param args The arguments
   * @param args.city The city
   * @param args.days The days @integer
   */
  one(args: { city: string; days: number }) {}

  /** Moves on. @param from Where it starts @param to Where to, as it @channel says @returns nothing. */
  line(from: string, to: string) {}

  /**
   * @description Looks up.
   * @param city City name @example Oslo @title City
   * @example
   * look("Oslo")
   */
  look(city: string) {}

  /** Speaks of the @param tag to its readers */
  spoken(tag: string) {}

  /** @param city The city */
  taken({ city, /** The days @minimum 1 */ days }: { city: string; days: number }) {}
}
interface Documented {
  /** From the interface. */
  run(): void;
}
export class Implementing implements Documented {
  run() {}
}
`;

/** Comments of a package: for people, and for other tools. */
const PACKAGE = `
export interface Settings {
  /** Where to begin. @default process.cwd() */
  cwd?: string;
  /** @default Infinity */
  depth?: number;
  /** @default 5 */
  ignore?: string;
  /**
   * @example
   * find(".", { name: "x" })
   */
  name?: string;
  /** @pattern singleton */
  scope?: string;
  /** @format as a path */
  path?: string;
  /** @minimum of all sizes */
  least?: number;
  /** @header X-Size */
  size?: string;
  /** The encoding. @default utf8 */
  encoding?: "utf8" | "hex";
  /** @default "*" @example "*.ts" @pattern ^[a-z*.]+$ */
  glob?: string;
  /** @minimum 1 @maximum 9 @integer @default 3 */
  level?: number;
  /**
   * @format email
   * @minimun 3
   */
  mail?: string;
}
`;

/** Types of a package, whose comments speak to programmers. */
const EXPLAINED = `
/**
 * Matches a {@link https://www.json.org | JSON} object, see {@link Json}.
 *
 * Don't use this as a return type: \`value as unknown as Custom\`. It is a workaround for issue #29729.
 *
 * @example
 * const pet: JsonObject = {};
 */
export type JsonObject = { [key: string]: string };
/**
 * A colour.
 * \`\`\`ts
 * const red: Colour = "red";
 * \`\`\`
 */
export type Colour = "red" | "green";
/**
 * A sign.
 *
 * @remarks Construct it with {@linkcode createSign}.
 */
export interface Sign {
  /**
   * The text, as {@linkplain Colour} it is drawn in.
   *
   * At most one line.
   */
  text: string;
}
/** Nothing but a type function. */
export type Just<T> = T & {};
`;

const project = createTypeProject({
  "node_modules/explained/index": EXPLAINED,
  explained:
    'import type { Colour, JsonObject, Just, Sign } from "./node_modules/explained/index.js";\n' +
    "export type Row = { json: JsonObject; colour: Colour; sign: Sign; just: Just<string> };",
  "node_modules/finder/index": PACKAGE,
  finder: 'import type { Settings } from "./node_modules/finder/index.js";\nexport type Row = Settings;',
  ...Object.fromEntries(
    cases.map(({ each, file }) => [
      file,
      `${each.declare ?? ""}\nexport type Row = {\n${each.comment}\nit: ${each.type ?? "string"} };\n`,
    ]),
  ),
  methods: METHOD,
});

describe.each(Object.keys(groups))("%s", (group) => {
  it.each(cases.filter((each) => each.group === group))("$title", ({ each, file }) => {
    const { derived, diagnostics } = project.type(file);
    expect(diagnostics).toEqual([]);
    expect(derived?.schema.properties?.it).toEqual(each.schema);
  });
});

test("tags in the comments of packages count only where they are certain", () => {
  const { derived, diagnostics } = project.type("finder");
  expect(diagnostics).toEqual([]);
  expect(derived?.schema.properties).toEqual({
    cwd: text("Where to begin."),
    depth: { type: "number" },
    ignore: { type: "string" },
    name: { type: "string" },
    scope: { type: "string" },
    path: { type: "string" },
    least: { type: "number" },
    size: { type: "string" },
    encoding: { type: "string", enum: ["utf8", "hex"], description: "The encoding.", default: "utf8" },
    glob: { type: "string", pattern: "^[a-z*.]+$", default: "*", examples: ["*.ts"] },
    level: { type: "integer", minimum: 1, maximum: 9, default: 3 },
    mail: { ...text("@minimun 3"), format: "email" },
  });
});

test("comments of packages say what a type is, and all of its members, but not how to program with it", () => {
  const { derived, diagnostics } = project.type("explained");
  expect(diagnostics).toEqual([]);
  expect(derived?.schema.properties).toMatchObject({
    json: { description: "Matches a JSON object, see Json." },
    colour: { description: "A colour." },
    sign: {
      description: "A sign.",
      properties: { text: text("The text, as Colour it is drawn in.\n\nAt most one line.") },
    },
    just: { type: "string" },
  });
  expect(derived?.schema.properties?.["just"]).not.toHaveProperty("description");
});

describe("methods", () => {
  const descriptionOf = (file: string, method?: string): string | undefined =>
    documentation([project.methodNode(file, method)], project.cache.comments);

  it("have the text before and between the tags for a description", () => {
    expect(descriptionOf("methods", "book")).toBe("Books a trip.\n\nAny @word stays.");
    expect(descriptionOf("methods", "one")).toBeUndefined();
  });

  it("have examples of parameters on the line of these, and of calls elsewhere", () => {
    expect(descriptionOf("methods", "look")).toBe("Looks up.");
    const { derived, diagnostics } = project.method("methods", "look");
    expect(diagnostics).toEqual([]);
    expect(derived?.schema.properties).toEqual({
      city: { ...text("City name"), examples: ["Oslo"], title: "City" },
    });
  });

  it("inherit the text of the interface they implement", () => {
    expect(descriptionOf("methods")).toBe("From the interface.");
  });

  it("may be written on one line", () => {
    expect(descriptionOf("methods", "line")).toBe("Moves on.");
    expect(project.method("methods", "line").derived?.schema.properties).toEqual({
      from: text("Where it starts"),
      to: text("Where to, as it @channel says"),
    });
    expect(descriptionOf("methods", "spoken")).toBe("Speaks of the @param tag to its readers");
  });

  it("list their tags", () => {
    const method = project.methodNode("methods", "book");
    const tags = project.cache.comments.commentOf(method)?.tags ?? [];
    expect(tags.map(({ name }) => name)).toEqual(["param", "param", "param", "mimeType", "returns"]);
    expect(tagText([method], "mimeType", project.cache.comments)).toBe("text/markdown");
  });

  it("describe and constrain their parameters", () => {
    expect(project.method("methods", "book").derived?.schema.properties).toEqual({
      city: text("City name,\nor postal code"),
      days: number({ minimum: 1, maximum: 14, description: "How many." }),
      note: text("A note"),
      tag: text("Inline."),
    });
  });

  it("describe the properties of their only parameter", () => {
    const { derived, diagnostics } = project.method("methods", "one");
    expect(diagnostics).toEqual([]);
    expect(derived?.schema.properties).toEqual({
      city: text("The city"),
      days: { type: "integer", description: "The days" },
    });
    expect(project.method("methods", "taken").derived?.schema.properties).toEqual({
      city: text("The city"),
      days: number({ minimum: 1, description: "The days" }),
    });
  });
});
