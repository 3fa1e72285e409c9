/**
 * Checks content blocks, messages, and the contents of resources, regardless of the declared types of a handler.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import { joinPath } from "../explanations/paths.js";
import type { Steps } from "../problems/problem.js";
import { shorten } from "../problems/shorten.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { isMimeType } from "../../protocol/mime-types.js";
import type {
  Annotations,
  BlobResourceContents,
  Content,
  Icon,
  Resource,
  ResourceContents,
  TextResourceContents,
} from "../../protocol/specification.js";
import { formats } from "../validation/formats.js";
import { describeLost, findPart } from "./lost-values.js";
import { OutputError, type RejectOutput } from "./output-check.js";
import { parseUrl } from "../../protocol/parse-url.js";

/** Returns the first problem of a value or inside it; undefined if there is none. */
type Check = (value: unknown) => Problem | undefined;

interface Problem {
  readonly steps: readonly (string | number)[];
  /** The end of a sentence, such as "be base64". */
  readonly requirement: string;
  readonly value: unknown;
}

/** The checks of all members. A missing check is a compile error. */
type MemberChecks<Value> = { readonly [Name in Exclude<keyof Value, "type">]-?: Check };

/** MIME type for bytes whose type is unknown. */
export const UNKNOWN_BYTES = "application/octet-stream";

const text = check("be a string", isText);
const base64 = check("be base64", (value) => isText(value) && formats.base64(value));
const uri = check("be a URI", (value) => isText(value) && parseUrl(value) !== undefined);
const mimeType = check('be a MIME type, such as "image/png"', isMimeType);
const role = oneOf("user", "assistant");
const meta: Check = (value) => {
  if (value === undefined) return undefined;
  if (!isObject(value)) return { steps: [], requirement: "be an object", value };
  // Metadata has no declared type, by which a `Map` could be converted.
  const lost = findPart(value, (part) => (isCollection(part) ? "a Map or a Set" : describeLost(part)));
  return lost === undefined
    ? undefined
    : { steps: [], requirement: `contain only JSON values, but ${lost}`, value };
};
const isCollection = (value: unknown): boolean => value instanceof Map || value instanceof Set;
const isNumber = (value: unknown, max: number): boolean =>
  typeof value === "number" && value >= 0 && value <= max;

const ANNOTATIONS: MemberChecks<Annotations> = {
  audience: optional(everyItem(role)),
  priority: optional(check("be a number from 0 to 1", (value) => isNumber(value, 1))),
  lastModified: optional(
    check("be a date and time", (value) => isText(value) && formats["date-time"](value)),
  ),
};
const common = { annotations: optional(everyMember(ANNOTATIONS)), _meta: meta };

const ICON: MemberChecks<Icon> = {
  src: uri,
  mimeType: optional(mimeType),
  sizes: optional(everyItem(text)),
  theme: optional(oneOf("light", "dark")),
};

const TEXT_CONTENTS: MemberChecks<TextResourceContents> = {
  uri,
  mimeType: optional(mimeType),
  text,
  _meta: meta,
};
const BLOB_CONTENTS: MemberChecks<BlobResourceContents> = {
  uri,
  mimeType: optional(mimeType),
  blob: base64,
  _meta: meta,
};
const CONTENTS = { ...TEXT_CONTENTS, ...BLOB_CONTENTS };
const textContents = everyMember(TEXT_CONTENTS);
const blobContents = everyMember(BLOB_CONTENTS);
const contents: Check = (value) => {
  if (!isObject(value) || value.blob === undefined) return textContents(value);
  if (value.text === undefined) return blobContents(value);
  return { steps: [], requirement: "have either `text` or `blob`, not both", value };
};

const media = { data: base64, mimeType, ...common };

/** The checks of each kind of block. A missing kind is a compile error. */
const BLOCKS: { readonly [Type in Content["type"]]: MemberChecks<Extract<Content, { type: Type }>> } = {
  text: { text, ...common },
  image: media,
  audio: media,
  resource: { resource: contents, ...common },
  resource_link: {
    uri,
    name: text,
    title: optional(text),
    description: optional(text),
    icons: optional(everyItem(everyMember(ICON))),
    mimeType: optional(mimeType),
    size: optional(check("be a number of bytes", (value) => isNumber(value, Number.MAX_SAFE_INTEGER))),
    ...common,
  },
};

/** Removes unknown members from members that are objects, by their names. */
const NESTED: Readonly<Record<string, (member: unknown) => unknown>> = {
  annotations: (member) => stripMembers(member, ANNOTATIONS),
  icons: (member) => (Array.isArray(member) ? member.map((icon) => stripMembers(icon, ICON)) : member),
  resource: (member) => (isObject(member) ? stripContents(member as unknown as ResourceContents) : member),
};

/**
 * Removes members that the kind of a block does not have, so that additional members of an author's object are not
 * sent. Returns a block of an unknown kind unchanged.
 */
export function stripBlock<Block extends Content>(content: Block): Block {
  const isKnown = isObject(content) && Object.hasOwn(BLOCKS, content.type);
  return isKnown ? stripMembers(content, BLOCKS[content.type], "type") : content;
}

/** Removes members that a listed resource does not have. */
export function stripResource(resource: Resource): Resource {
  return stripMembers(resource, BLOCKS.resource_link);
}

/** Removes unknown members from the contents of a resource. Bytes whose MIME type is unknown get the most general one. */
export function stripContents(given: ResourceContents): ResourceContents {
  const contents = stripMembers(given, CONTENTS);
  const isTyped = !("blob" in contents) || contents.blob === undefined || contents.mimeType !== undefined;
  return isTyped ? contents : { ...contents, mimeType: UNKNOWN_BYTES };
}

/** The names of all members of a type. A missing name is a compile error. */
export type MemberNames<Value> = { readonly [Name in keyof Value]-?: true };

/**
 * Removes members of an object whose names are not known, and those of its annotations, icons, and embedded resource.
 *
 * @param tag the name of one more known member
 */
export function stripMembers<Value>(value: Value, known: object, tag?: string): Value {
  if (!isObject(value)) return value;
  const isKnown = (name: string): boolean => name === tag || Object.hasOwn(known, name);
  const isUnchanged =
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).every((name) => isKnown(name) && NESTED[name] === undefined);
  if (isUnchanged) return value;
  const members = Object.entries(value).filter(([name]) => isKnown(name));
  return Object.fromEntries(
    members.map(([name, member]) => [name, NESTED[name]?.(member) ?? member]),
  ) as Value;
}

const block: Check = (value) => {
  if (!isObject(value)) return { steps: [], requirement: "be a content block", value };
  const { type } = value;
  if (isText(type) && Object.hasOwn(BLOCKS, type)) return findProblem(value, BLOCKS[type as Content["type"]]);
  const kinds = Object.keys(BLOCKS).map((each) => `"${each}"`);
  return { steps: ["type"], requirement: `be one of ${kinds.join(", ")}`, value: type };
};

/** Checks the content of a tool's result. */
export const contentList: Check = everyItem(block);

/** Checks the members of a result, except for its content and its data. */
const resultMembers: Check = (value) => findProblem(value as Record<string, unknown>, RESULT);

const RESULT: Readonly<Record<string, Check>> = {
  isError: optional(check("be true or false", (value) => typeof value === "boolean")),
  _meta: meta,
};

/** Rejects a result with members that the protocol does not allow, such as `isError: "yes"`. */
export function checkResultMembers(result: object, reject: RejectOutput): void {
  checkPart(result, resultMembers, [], reject);
}

/** Checks the messages of a prompt's result. */
export const messageList: Check = everyItem(
  everyMember<{ role: unknown; content: unknown }>({ role, content: block }),
);

/** Checks the contents of a resource's result. */
export const contentsList: Check = everyItem(contents);

/** Checks a resource that a `list` callback returns, which has the members of a link. */
export const resourceMembers: Check = everyMember(BLOCKS.resource_link);

/** Checks that a `list` callback returns a list of objects. */
export const objectList: Check = everyItem(check("be an object", isObject));

/** Checks the suggestions that a `complete` callback returns. */
export const textList: Check = everyItem(text);

/**
 * Checks a part of a result, and rejects the result if the part has a problem.
 *
 * @param parents the steps to the part, such as `["content"]`
 * @param subject the name of the result in the message
 */
export function checkPart(
  part: unknown,
  check: Check,
  parents: Steps,
  reject: RejectOutput,
  subject = "result",
): void {
  const problem = check(part);
  if (problem === undefined) return;
  const { steps, requirement, value } = problem;
  const path = joinPath([...parents, ...steps]);
  reject(
    new OutputError(
      `The ${subject} is not valid: \`${path}\` must ${requirement} (got ${describeValue(value)}).`,
    ),
  );
}

/**
 * Returns the text of a value that is declared as text. Undeclared data is never sent.
 *
 * @throws OutputError for an object, and for a value that is absent
 */
export function toDeclaredText(value: unknown): string {
  if (isText(value)) return value;
  if (["number", "boolean", "bigint"].includes(typeof value)) return String(value);
  throw new OutputError(`The result is not valid: it must be a string (got ${describeValue(value)}).`);
}

function check(requirement: string, isValid: (value: unknown) => boolean): Check {
  return (value) => (isValid(value) ? undefined : { steps: [], requirement, value });
}

function oneOf(...texts: string[]): Check {
  const list = texts.map((each) => `"${each}"`).join(" or ");
  return check(`be ${list}`, (value) => texts.includes(value as string));
}

function optional(inner: Check): Check {
  return (value) => (value === undefined ? undefined : inner(value));
}

function everyItem(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return { steps: [], requirement: "be an array", value };
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index]);
      if (problem !== undefined) return { ...problem, steps: [index, ...problem.steps] };
    }
    return undefined;
  };
}

function everyMember<Value>(checks: MemberChecks<Value>): Check {
  return (value) =>
    isObject(value) ? findProblem(value, checks) : { steps: [], requirement: "be an object", value };
}

function findProblem(
  value: Record<string, unknown>,
  checks: Readonly<Record<string, Check>>,
): Problem | undefined {
  for (const name in checks) {
    const problem = checks[name]?.(value[name]);
    if (problem !== undefined) return { ...problem, steps: [name, ...problem.steps] };
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Describes any value, including values that JSON cannot represent. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return ["function", "symbol", "bigint"].includes(typeof value) ? `a ${typeof value}` : shorten(value);
}
