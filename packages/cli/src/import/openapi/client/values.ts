import { ToolError } from "@tenon/runtime";

/** Returns a value if the API allows it. @throws Error for any other value */
export function checkChoice(variable: string, value: string, allowed: readonly string[]): string {
  if (allowed.includes(value)) return value;
  throw new Error(`${variable} must be one of ${allowed.join(", ")} (got ${value}).`);
}

/**
 * Returns a path that contains values. Each value stays one segment, whatever it contains.
 *
 * @throws ToolError for a value that would change the path
 * @example
 * path`/pets/${"a/b"}` // "/pets/a%2Fb"
 */
export function path(texts: TemplateStringsArray, ...values: readonly unknown[]): string {
  const segments = values.map((value) => toTexts(value).map(encodeURIComponent).join(","));
  const whole = String.raw({ raw: texts }, ...segments);
  if (!segments.includes("") && !/\/\.{1,2}(?:\/|$)/.test(whole)) return whole;
  throw new ToolError(
    `${whole} is not a valid path of the API, because a segment is empty, \`.\`, or \`..\`.`,
  );
}

type Pair = [name: string, value: string];

/** `form`, `spaceDelimited`, `pipeDelimited` and `deepObject` are styles of OpenAPI. */
export type Style =
  "form" | "repeated" | "joined" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";

/** Writes a value as pairs of a name and a text, in each style. */
const STYLES: Readonly<Record<Style, (name: string, value: unknown) => Pair[]>> = {
  /** `color=red&color=blue`. The members of an object have their own names: `red=1&blue=2`. */
  form: (name, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, member]) => STYLES.repeated(key, member))
      : STYLES.repeated(name, value),
  /** `color=red&color=blue`. An object is JSON. */
  repeated: (name, value) => [value].flat().map((each): Pair => [name, toText(each)]),
  /** `color=red,blue` */
  joined: (name, value) => [[name, toTexts(value).join(",")]],
  spaceDelimited: (name, value) => [[name, toTexts(value).join(" ")]],
  pipeDelimited: (name, value) => [[name, toTexts(value).join("|")]],
  /** `color[red]=1&color[blue]=2` */
  deepObject: (name, value) =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, member]) => STYLES.deepObject(`${name}[${key}]`, member))
      : [[name, toText(value)]],
  json: (name, value) => [[name, JSON.stringify(value)]],
};

/** A value with a style other than the default. */
class Styled {
  readonly style: Style;
  readonly value: unknown;
  constructor(style: Style, value: unknown) {
    this.style = style;
    this.value = value;
  }
}

/**
 * Sets the style in which a value is written, instead of the default.
 *
 * @example
 * styled("pipeDelimited", ["red", "blue"]) // color=red|blue
 */
export function styled(style: Style, value: unknown): Styled {
  return new Styled(style, value);
}

/** Returns names and values as texts. Undefined values are omitted. */
export function toPairs(values: object = {}, usual: Style): Pair[] {
  return Object.entries(values).flatMap(([name, given]: [string, unknown]) => {
    const { style, value } = given instanceof Styled ? given : { style: usual, value: given };
    return value === undefined ? [] : STYLES[style](name, value);
  });
}

/** Percent-encodes names and values, and joins them. */
export function encodePairs(pairs: readonly Pair[], separator: string): string {
  return pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join(separator);
}

/** Returns the entries of a list, the names and values of an object, or a value by itself. */
function toTexts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [toText(value)];
  return (Array.isArray(value) ? value : Object.entries(value).flat()).map(toText);
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  // A lone surrogate cannot be encoded.
  return text.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
}

/** Returns a value if a header can contain it. @throws ToolError for other characters */
export function checkHeaderValue(name: string, value: string): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new ToolError(
    `${name} is sent as a header, which cannot contain line breaks or characters outside Latin-1.`,
  );
}

/** The encoded body of a request, and its media type unless `fetch` sets it. */
export interface RequestBody {
  readonly type?: string;
  readonly content: string | FormData | Blob;
}

/** Encodes a body as JSON. */
export function jsonBody(value: unknown, type = "application/json"): RequestBody | undefined {
  return value === undefined ? undefined : { type, content: JSON.stringify(value) };
}

/**
 * Encodes a body as browsers encode forms.
 *
 * @param styles the styles of members that differ from the default: lists repeated, objects as JSON
 */
export function formBody(
  values: object | null | undefined,
  styles: Readonly<Record<string, Style>> = {},
  type = "application/x-www-form-urlencoded",
): RequestBody | undefined {
  if (!values) return undefined;
  const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
    return [name, styled(styles[name] ?? "repeated", value)] as const;
  });
  return { type, content: encodePairs(toPairs(Object.fromEntries(entries), "repeated"), "&") };
}

/** Encodes a body in parts. Bytes are sent as files. */
export function multipartBody(values: object | null | undefined): RequestBody | undefined {
  if (!values) return undefined;
  const content = new FormData();
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    for (const each of [value].flat()) {
      if (each instanceof Uint8Array) content.append(name, new Blob([new Uint8Array(each)]), name);
      else if (each !== undefined) content.append(name, toText(each));
    }
  }
  return { content };
}

/** Creates the body of a request from text; undefined without text. */
export function textBody(
  text: string | undefined,
  type = "text/plain; charset=utf-8",
): RequestBody | undefined {
  return text === undefined ? undefined : { type, content: text };
}

/** Creates the body of a request from bytes; undefined without bytes. */
export function bytesBody(
  bytes: Uint8Array | undefined,
  type = "application/octet-stream",
): RequestBody | undefined {
  return bytes === undefined ? undefined : { type, content: new Blob([new Uint8Array(bytes)]) };
}
