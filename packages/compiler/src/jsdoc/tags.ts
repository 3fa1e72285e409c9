import { nearestName } from "@tenon/runtime/nearest-name";

/** A tag of ours, which may also stand behind text on the same line. */
interface Tag {
  /** It limits values, so it belongs to a parameter, a property or a type. */
  isConstraint?: true;
  /** It ends with its line: what follows is running text again. */
  isSingleLine?: true;
  /** Any text may stand after it, so that only what stands before it can make it a mention. */
  isText?: true;
  /** The forms of text that the tag, and hardly any prose, has after it. Absent where it may be any prose. */
  forms?: readonly RegExp[];
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?=$|\s)/i;
const LAST_NUMBER = /^\s+[+-]?[\d.]+(?:e[+-]?\d+)?\s*(?:$|(?=@))/i;
const NOTHING = /^\s*(?:$|(?=@))/;
const WORD = /^\s+[\w.+/:-]+\s*(?:$|(?=@))/;
const JSON_VALUE = /^\s+(?:"[^"]*"|'[^']*'|\[.*\]|\{.*\})\s*(?:$|(?=@))/;
const PATTERN = /^\s+(?:\^|\/\^?|`)/;
const MIME_TYPE = /^\s+[\w.+-]+\/[\w.+*-]+/;
const NAMES = /^\s+[^\s,][^,]*,\s*\S/;
const PARAMETER = /^\s+(?:\{[^{}]*\}\s*)?\[?(?:\.\.\.)?[A-Za-z_$][\w$.]*(?:$|[\s\]=])/;

function constraint(...forms: readonly RegExp[]): Tag {
  return { isConstraint: true, isSingleLine: true, forms };
}

const CONSTRAINT_TAGS = {
  minimum: constraint(NUMBER),
  maximum: constraint(NUMBER),
  exclusiveMinimum: constraint(NUMBER),
  exclusiveMaximum: constraint(NUMBER),
  multipleOf: constraint(NUMBER),
  minLength: constraint(NUMBER),
  maxLength: constraint(NUMBER),
  pattern: constraint(PATTERN),
  format: constraint(WORD),
  minItems: constraint(NUMBER),
  maxItems: constraint(NUMBER),
  uniqueItems: constraint(NOTHING),
  integer: constraint(NOTHING),
  default: constraint(WORD, JSON_VALUE),
  header: constraint(WORD),
  secret: constraint(NOTHING),
} satisfies Record<string, Tag>;

/** Tags about values that do not limit them. What stands after them may be any text. */
const ANNOTATION_TAGS = {
  title: { isSingleLine: true, isText: true },
  example: { isText: true },
  deprecated: { isText: true },
} satisfies Record<string, Tag>;

/** A tag that becomes a keyword of a schema. */
export type SchemaTag = keyof typeof CONSTRAINT_TAGS | keyof typeof ANNOTATION_TAGS;

const OWN_TAGS: Readonly<Record<string, Tag>> = {
  ...CONSTRAINT_TAGS,
  ...ANNOTATION_TAGS,
  mimeType: { isSingleLine: true, forms: [MIME_TYPE] },
  enumNames: { isSingleLine: true, forms: [NAMES] },
};

/** Tags whose text is part of the description, or stands for it. */
const DESCRIPTION_TAGS: Readonly<Record<string, Tag>> = {
  description: { isText: true },
  desc: { isText: true },
  remarks: { isText: true },
  summary: { isText: true },
};

/** Whether the text of a tag goes on in the description. */
export function isDescriptionTag(name: string): boolean {
  return Object.hasOwn(DESCRIPTION_TAGS, name);
}

/** Tags of functions, which people write behind text on one line as well. */
const FUNCTION_TAGS: Readonly<Record<string, Tag>> = {
  param: { forms: [PARAMETER] },
  returns: {},
  return: {},
  throws: {},
};

/** Tags of JSDoc, TSDoc and their usual companions. They end the text before them and say nothing to a client. */
const FOREIGN_TAGS = new Set(
  (
    "abstract access alias alpha alternateName arg argument async augments author beta borrows callback category class " +
    "classdesc constant constructor constructs copyright decorator deprecated description desc dictionary " +
    "enum event eventProperty exception export exports extends external file fileoverview fires func function " +
    "generator global group hidden hideconstructor ignore implements import inherit inheritDoc inheritdoc inner " +
    "instance interface internal jsx jsxFrag jsxImportSource jsxRuntime kind label lends license link listens " +
    "memberof method mixes mixin module name namespace override overload overview package packageDocumentation param " +
    "private privateRemarks prop property protected public readonly remarks requires return returns satisfies " +
    "sealed see since static summary suppress template this throws todo tutorial type typeParam typedef values var " +
    "variation version virtual yields ts-check ts-expect-error ts-ignore ts-nocheck"
  ).split(" "),
);

export function isConstraintTag(name: string): boolean {
  return Object.hasOwn(CONSTRAINT_TAGS, name);
}

/** Whether `@name` becomes a keyword of a schema. */
export function isSchemaTag(name: string): boolean {
  return isConstraintTag(name) || Object.hasOwn(ANNOTATION_TAGS, name);
}

/** Whether `@name` is a tag of ours, which becomes a keyword or a member of a definition. */
export function isOwnTag(name: string): boolean {
  return Object.hasOwn(OWN_TAGS, name);
}

/** Whether a tag ends with its line. */
export function isSingleLineTag(name: string): boolean {
  return isOwnTag(name) && OWN_TAGS[name]?.isSingleLine === true;
}

function isFunctionTag(name: string): boolean {
  return Object.hasOwn(FUNCTION_TAGS, name);
}

/** Whether `@name` at the beginning of a line is a tag; anything else there is running text. */
export function isBlockTag(name: string): boolean {
  return isOwnTag(name) || FOREIGN_TAGS.has(name);
}

const SUGGESTED_TAGS: readonly string[] = [...Object.keys(OWN_TAGS), "param", "returns", "remarks"];

/** What other tools call the same thing. */
const SYNONYMS: Readonly<Record<string, string>> = {
  min: "minimum",
  max: "maximum",
  int: "integer",
  isInt: "integer",
  regex: "pattern",
  regexp: "pattern",
};

/** The tag that `@name` at the beginning of a line may have been meant to be; undefined where it is plain text. */
export function suggestedTag(name: string): string | undefined {
  return Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearestName(name, SUGGESTED_TAGS);
}

export interface FoundTag {
  name: string;
  /** Index of the `@`. */
  at: number;
}

/** What a line has in it. */
interface TagsOfLine {
  found: FoundTag[];
  /** Read as text, since what follows has no such form (`@default the first one`) or it may be mentioned, as behind `by`. */
  unread: FoundTag[];
}

const CANDIDATE = /(?<=^|\s)@([A-Za-z][A-Za-z-]*)(?![\w-])/g;
// `the @default value` is a sentence about a tag, but nobody writes `sorted by @maxItems 20` as one.
const MENTION = /\b(?:an?|and|as|by|for|in|is|its|of|or|see|that|the|this|to|uses?|with|without)$/i;
// `the @default value` without any doubt, as against `what to sort by @default name`.
const NOUN = /\b(?:an?|its|that|the|this)$/i;

/**
 * The tags on one line. At the beginning of a line any block tag counts; behind other text only those of ours, of
 * functions and of descriptions, and only where the text after them has the form such a tag wants or a sentence has just
 * ended. Behind another tag of one line every tag counts.
 */
export function findTags(line: string, leadingIsTag: boolean): TagsOfLine {
  const found: FoundTag[] = [];
  const unread: FoundTag[] = [];
  const code = codeRanges(line);
  for (const match of line.matchAll(CANDIDATE)) {
    const [, name = ""] = match;
    const at = match.index;
    if (code.some(([start, end]) => at >= start && at < end)) continue;
    const before = line.slice(0, at).trim();
    if (before === "") {
      if (leadingIsTag) found.push({ name, at });
      continue;
    }
    const last = found.at(-1);
    const isAfterLine = last !== undefined && isSingleLineTag(last.name);
    if (!isOwnTag(name) && !isFunctionTag(name) && !isDescriptionTag(name)) {
      if (isAfterLine && last.name !== "pattern" && isBlockTag(name)) found.push({ name, at });
      continue;
    }
    // `@pattern`, `@example` and running text inside them may hold anything; only a form that cannot be text ends them.
    const rest = line.slice(at + 1 + name.length);
    const mayFollow = isAfterLine ? last.name !== "pattern" : endsSentence(before);
    const isNextOfFunction = isFunctionTag(name) && isFunctionTag(last?.name ?? "");
    const isMeant = isNextOfFunction || hasForm(name, rest);
    const isMention =
      (!isAfterLine || last.name === "title") &&
      MENTION.test(before) &&
      !(isConstraintTag(name) && LAST_NUMBER.test(rest));
    if ((mayFollow && !(isAfterLine && isMention)) || (isMeant && !isMention)) found.push({ name, at });
    else if (isMention ? isMeant && isConstraintTag(name) && !NOUN.test(before) : looksOwn(name, rest)) {
      unread.push({ name, at });
    }
  }
  return { found, unread };
}

/** Whether it may have been meant as a tag of ours, with a value of another form. */
function looksOwn(name: string, rest: string): boolean {
  return isOwnTag(name) && /^\s*\S/.test(rest);
}

/** Whether what follows has the form that the tag, and hardly any prose, has. */
function hasForm(name: string, rest: string): boolean {
  const { forms = [], isText } = OWN_TAGS[name] ?? FUNCTION_TAGS[name] ?? DESCRIPTION_TAGS[name] ?? {};
  return isText === true ? /^(?:\s|$)/.test(rest) : forms.some((form) => form.test(rest));
}

function endsSentence(text: string): boolean {
  return /[.!?:;)]$/.test(text);
}

/** Spans in backticks and `{@link …}`: tags in there are quoted. */
function codeRanges(line: string): [number, number][] {
  return [...line.matchAll(/(`+)(?:(?!\1).)*\1|\{@[^}]*\}/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}
