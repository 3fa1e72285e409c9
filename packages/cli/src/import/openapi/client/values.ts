import { ToolError } from "@tenon/runtime";

/**
 * Returns a value if the API allows it.
 *
 * @throws Error for any other value
 */
export function checkChoice(variable: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value;
  throw new Error(`${variable} must be one of ${allowed.join(", ")} (got ${value}).`);
}

/** Writes a string so that it has no special meaning where it is inserted. */
type Encode = (text: string) => string;

/** Percent-encodes everything except letters, digits, and `-._~`. */
export function percentEncode(text: string): string {
  const encodeCharacter = (each: string): string => `%${each.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);
}

/** Percent-encodes a string, except for reserved characters and `%20`. `&`, `#`, and `+` have a different meaning in a query. */
function encodeReserved(text: string): string {
  return encodeURI(text)
    .replaceAll(/%25([\dA-F]{2})/gi, "%$1")
    .replaceAll(/[&#+]/g, encodeURIComponent);
}

/** Returns a string unchanged. */
function keep(text: string): string {
  return text;
}

/** A part of a path, already encoded. */
class Segment {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Writes the members of an object as `red=1,blue=2` in a path. A list looks the same with and without `explode`. */
export function explodedSegment(value: unknown): Segment {
  return new Segment(toMembers(value, percentEncode).join(","));
}

/** Writes a value with the style `label`: `.red,blue`, or exploded `.red.blue`. */
export function labelSegment(value: unknown, isExploded = false): Segment {
  return new Segment(
    `.${isExploded ? toMembers(value, percentEncode).join(".") : toTexts(value, percentEncode).join(",")}`,
  );
}

/** Writes a value with the style `matrix`: `;color=red,blue`, or exploded `;color=red;color=blue`. */
export function matrixSegment(name: string, value: unknown, isExploded = false): Segment {
  const pairs = STYLES[isExploded ? "form" : "joined"](name, value, percentEncode);
  return new Segment(pairs.map(([key, text]) => (text === "" ? `;${key}` : `;${key}=${text}`)).join(""));
}

/** Writes a value as JSON in a path. */
export function jsonSegment(value: unknown): Segment {
  return new Segment(percentEncode(JSON.stringify(value)));
}

/**
 * Returns a path that contains values. Each value stays one segment, whatever it contains.
 *
 * @throws ToolError for a value that would change the path
 * @example
 * path`/pets/${"a/b"}` // "/pets/a%2Fb"
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const segments = values.map((value) =>
    value instanceof Segment ? value.text : toTexts(value, percentEncode).join(","),
  );
  const whole = String.raw({ raw: texts }, ...segments);
  if (!segments.includes("") && !/\/\.{1,2}(?:[/?]|$)/.test(whole)) return whole;
  throw new ToolError(
    `${whole} is not a valid path of the API, because a segment is empty, \`.\`, or \`..\`.`,
  );
}

type Pair = [name: string, value: string];

/** `form`, `spaceDelimited`, `pipeDelimited`, and `deepObject` are styles of OpenAPI; `exploded` is `simple` with `explode`. */
export type Style =
  "form" | "repeated" | "joined" | "exploded" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";

/** Writes a value as pairs of a name and a string, in each style. */
const STYLES: Readonly<Record<Style, (name: string, value: unknown, encode: Encode) => Pair[]>> = {
  /** `color=red&color=blue`. The members of an object have their own names: `red=1&blue=2`. */
  form: (name, value, encode) =>
    isPlainObject(value)
      ? listMembers(value).flatMap(([key, member]) => STYLES.repeated(key, member, encode))
      : STYLES.repeated(name, value, encode),
  /** `color=red&color=blue`. An object is JSON. */
  repeated: (name, value, encode) =>
    listMembers([value].flat()).map(([, each]): Pair => [encode(name), encode(toText(each))]),
  /** `color=red,blue` */
  joined: (name, value, encode) => [[encode(name), toTexts(value, encode).join(",")]],
  /** `color=R=100,G=200` */
  exploded: (name, value, encode) => [[encode(name), toMembers(value, encode).join(",")]],
  spaceDelimited: (name, value, encode) => [[encode(name), toTexts(value, encode).join(encode(" "))]],
  pipeDelimited: (name, value, encode) => [[encode(name), toTexts(value, encode).join(encode("|"))]],
  /** `color[red]=1&color[blue]=2` */
  deepObject: (name, value, encode) =>
    typeof value === "object" && value !== null
      ? listMembers(value).flatMap(([key, member]) => STYLES.deepObject(`${name}[${key}]`, member, encode))
      : [[encode(name), encode(toText(value))]],
  json: (name, value, encode) => [[encode(name), encode(JSON.stringify(value))]],
};

/** A value with a style other than the default. */
class Styled {
  readonly style: Style;
  readonly value: unknown;
  readonly allowsReserved: boolean;
  constructor(style: Style, value: unknown, allowsReserved: boolean) {
    this.style = style;
    this.value = value;
    this.allowsReserved = allowsReserved;
  }
}

/**
 * Sets the style in which a value is written, instead of the default.
 *
 * @param reserved `reserved` if characters such as `/` and `:` are not percent-encoded
 * @example
 * styled("pipeDelimited", ["red", "blue"]) // color=red%7Cblue
 */
export function styled(style: Style, value: unknown, reserved?: "reserved"): Styled {
  return new Styled(style, value, reserved === "reserved");
}

/** Returns the name and the text of each value. Values that are undefined, null, or empty lists or objects are omitted. */
export function toPairs(values: object = {}, defaultStyle: Style, encode: Encode = keep): Pair[] {
  return writeEach(values, defaultStyle, encode).flat();
}

/** Returns each value as in a query or a cookie: `color=red&color=blue`. */
export function writePairs(values: object = {}, defaultStyle: Style): string[] {
  return writeEach(values, defaultStyle, percentEncode).map((pairs) =>
    pairs.map((pair) => pair.join("=")).join("&"),
  );
}

function writeEach(values: object, defaultStyle: Style, encode: Encode): Pair[][] {
  return Object.entries(values).flatMap(([name, given]: [string, unknown]) => {
    const { style, value, allowsReserved } = given instanceof Styled ? given : styled(defaultStyle, given);
    const isAbsent = style === "json" ? value === undefined : isEmpty(value);
    return isAbsent ? [] : [STYLES[style](name, value, allowsReserved ? encodeReserved : encode)];
  });
}

/** Returns whether there is nothing to write. As in RFC 6570, null is undefined. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === "object" && listMembers(value).length === 0)
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the members of an object, or the items of a list, that have a value. */
function listMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
}

/** Returns the items of a list, the names and values of an object, or a value by itself, each encoded. */
function toTexts(value: unknown, encode: Encode): string[] {
  if (typeof value !== "object" || value === null) return [encode(toText(value))];
  const members = listMembers(value);
  return (Array.isArray(value) ? members.map(([, item]) => item) : members.flat()).map((each) =>
    encode(toText(each)),
  );
}

/** Returns the items of a list, the members of an object as `name=value`, or a value by itself, each encoded. */
function toMembers(value: unknown, encode: Encode): string[] {
  return isPlainObject(value)
    ? listMembers(value).map(([name, member]) => `${encode(name)}=${encode(toText(member))}`)
    : toTexts(value, encode);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A lone surrogate cannot be encoded.
  return text.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
}

/**
 * Returns a value if a header can contain it.
 *
 * @throws ToolError for other characters
 */
export function checkHeaderValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new ToolError(
    `${name} is sent as a header, which cannot contain line breaks or characters outside Latin-1.`,
  );
}
