/**
 * What blocks of content, messages and the contents of resources have to be, whatever the types of a handler said.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import { joinPath } from "../explain/issues.js";
import { shorten } from "../explain/show-value.js";
import { isObject } from "../protocol/jsonrpc.js";
import type {
  Annotations,
  BlobResourceContents,
  Content,
  ResourceContents,
  TextResourceContents,
} from "../protocol/specification.js";
import { formats } from "../validation/formats.js";
import { OutputError, type RefuseOutput } from "./output-check.js";

/** What is wrong with a value, or inside of it; undefined when nothing is. */
type Check = (value: unknown) => Problem | undefined;

interface Problem {
  readonly steps: readonly (string | number)[];
  /** The end of a sentence, such as "be base64". */
  readonly must: string;
  readonly value: unknown;
}

/** A member without a check does not compile. */
type MemberChecks<Value> = { readonly [Name in Exclude<keyof Value, "type">]-?: Check };

const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *; *[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"]*"))*$/;

const LONGEST_MIME_TYPE = 255;

const text = check("be a string", isText);
const base64 = check("be base64", (value) => isText(value) && formats.base64(value));
const uri = check("be a URI", (value) => isText(value) && URL.canParse(value));
const mimeType = check(
  'be a MIME type, such as "image/png"',
  (value) => isText(value) && value.length <= LONGEST_MIME_TYPE && MIME_TYPE.test(value),
);
const role = check('be "user" or "assistant"', (value) => value === "user" || value === "assistant");
const meta = optional(check("be an object", isObject));
const isNumber = (value: unknown, most: number): boolean =>
  typeof value === "number" && value >= 0 && value <= most;

const common = {
  annotations: optional(
    membersOf<Annotations>({
      audience: optional(listOf(role)),
      priority: optional(check("be a number from 0 to 1", (value) => isNumber(value, 1))),
      lastModified: optional(
        check("be a date and time", (value) => isText(value) && formats["date-time"](value)),
      ),
    }),
  ),
  _meta: meta,
};

const TEXT_CONTENTS: MemberChecks<TextResourceContents> = {
  uri,
  mimeType: optional(mimeType),
  text,
  _meta: meta,
};
const BLOB_CONTENTS: MemberChecks<BlobResourceContents> = { uri, mimeType, blob: base64, _meta: meta };
const textContents = membersOf(TEXT_CONTENTS);
const blobContents = membersOf(BLOB_CONTENTS);
const contents: Check = (value) =>
  (isObject(value) && value.blob !== undefined ? blobContents : textContents)(value);

/** A kind that has no row here does not compile. */
const BLOCKS: { readonly [Type in Content["type"]]: MemberChecks<Extract<Content, { type: Type }>> } = {
  text: { text, ...common },
  image: { data: base64, mimeType, ...common },
  audio: { data: base64, mimeType, ...common },
  resource: { resource: contents, ...common },
  resource_link: {
    uri,
    name: text,
    title: optional(text),
    description: optional(text),
    icons: optional(check("be an array", Array.isArray)),
    mimeType: optional(mimeType),
    size: optional(check("be a number of bytes", (value) => isNumber(value, Number.MAX_SAFE_INTEGER))),
    ...common,
  },
};

/**
 * A block without members that its kind does not have: what an author's object holds besides does not leave the server.
 * A block of no known kind stays as it is.
 */
export function keepBlock(content: Content): Content {
  if (!isObject(content) || !Object.hasOwn(BLOCKS, content.type)) return content;
  const members = BLOCKS[content.type];
  const kept = keepMembers(content, (name) => name === "type" || Object.hasOwn(members, name));
  if (kept.type !== "resource" || !isObject(kept.resource)) return kept;
  const resource = keepContents(kept.resource);
  return resource === kept.resource ? kept : { ...kept, resource };
}

/** The same for what a resource contains. */
export function keepContents(given: ResourceContents): ResourceContents {
  return keepMembers(
    given,
    (name) => Object.hasOwn(TEXT_CONTENTS, name) || Object.hasOwn(BLOB_CONTENTS, name),
  );
}

function keepMembers<T extends object>(value: T, isKnown: (name: string) => boolean): T {
  const isAsItIs = Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).every(isKnown);
  if (isAsItIs) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKnown(name))) as T;
}

const block: Check = (value) => {
  if (!isObject(value)) return { steps: [], must: "be a content block", value };
  const { type } = value;
  if (isText(type) && Object.hasOwn(BLOCKS, type)) return problemIn(value, BLOCKS[type as Content["type"]]);
  const kinds = Object.keys(BLOCKS).map((each) => `"${each}"`);
  return { steps: ["type"], must: `be one of ${kinds.join(", ")}`, value: type };
};

/** What the result of a tool holds. */
export const contentList: Check = listOf(block);

/** What the result of a prompt holds. */
export const messageList: Check = listOf(
  membersOf<{ role: unknown; content: unknown }>({ role, content: block }),
);

/** What the result of a resource holds. */
export const contentsList: Check = listOf(contents);

/**
 * Holds a list of a result to what it must consist of.
 *
 * @param member where in the result the list is, such as `"content"`
 */
export function checkList(list: unknown, check: Check, member: string, refuse: RefuseOutput): void {
  const problem = check(list);
  if (problem === undefined) return;
  const { steps, must, value } = problem;
  const place = joinPath([member, ...steps]);
  refuse(new OutputError(`The result is not valid: \`${place}\` must ${must} (got ${show(value)}).`));
}

function check(must: string, is: (value: unknown) => boolean): Check {
  return (value) => (is(value) ? undefined : { steps: [], must, value });
}

function optional(inner: Check): Check {
  return (value) => (value === undefined ? undefined : inner(value));
}

function listOf(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return { steps: [], must: "be an array", value };
    for (let index = 0; index < value.length; index++) {
      const problem = item(value[index]);
      if (problem !== undefined) return { ...problem, steps: [index, ...problem.steps] };
    }
    return undefined;
  };
}

function membersOf<Value>(checks: MemberChecks<Value>): Check {
  return (value) => (isObject(value) ? problemIn(value, checks) : { steps: [], must: "be an object", value });
}

function problemIn(
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

/** A value that may be anything, and need have no JSON. */
function show(value: unknown): string {
  const isPlain =
    value === undefined || value === null || ["string", "number", "boolean"].includes(typeof value);
  if (isPlain) return shorten(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
