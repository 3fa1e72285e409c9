import { findNearestName } from "@tenon/runtime/nearest-name";
import { KEYWORDS, type LimitName, LIMITS } from "../json-schema/keywords.js";

/** A tag that Tenon reads, which may also follow text on the same line. */
interface Tag {
  /** Whether it limits values, and so belongs to a parameter, a property, or a type. */
  isConstraint?: true;
  /** Whether it ends with its line, and running text continues on the next one. */
  isSingleLine?: true;
  /** Whether any text may follow it, so that only the text before it can show that it is a mention. */
  isText?: true;
  /** The forms of text that follow the tag but rarely occur in prose. Absent if it may be any prose. */
  forms?: readonly RegExp[];
}

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?=$|\s)/i;
const LAST_NUMBER = /^\s+[+-]?[\d.]+(?:e[+-]?\d+)?\s*(?:$|(?=@))/i;
const NOTHING = /^\s*(?:$|(?=@))/;
const WORD = /^\s+[\w.+/:-]+\s*(?:$|(?=@))/;
const JSON_VALUE = /^\s+(?:"[^"]*"|'[^']*'|\[.*\]|\{.*\})\s*(?:$|(?=@))/;
const PATTERN = /^\s+(?:\^|\/\^?|`)/;
const MIME_TYPE = /^\s+[\w.+-]+\/[\w.+*-]+/;
const BYTE_COUNT = /^\s+[\d._]+\s*(?:[kmg]?i?b)?\s*(?:$|(?=@))/i;
const NAMES = /^\s+[^\s,][^,]*,\s*\S/;
const PARAMETER = /^\s+(?:\{[^{}]*\}\s*)?\[?(?:\.\.\.)?[\p{ID_Start}_$][\p{ID_Continue}$.]*(?:$|[\s\]=])/u;

function defineConstraintTag(...forms: readonly RegExp[]): Tag {
  return { isConstraint: true, isSingleLine: true, forms };
}

/** The form of the text after a tag, by the data of the keyword that it sets. */
const FORMS = {
  number: NUMBER,
  positive: NUMBER,
  count: NUMBER,
  pattern: PATTERN,
  text: WORD,
  flag: NOTHING,
};

/** One value, and not prose or code. */
const VALUE_FORMS = [WORD, JSON_VALUE];

/** Several lines, a call such as `search("tea")`, a statement, or nothing. */
const CODE = /\n|[\w$\]>]\(|;$|^$/;

const CONSTRAINT_TAGS = {
  ...(Object.fromEntries(
    LIMITS.map((name) => [name, defineConstraintTag(FORMS[KEYWORDS[name].data])]),
  ) as Record<LimitName, Tag>),
  integer: defineConstraintTag(NOTHING),
  maxSize: defineConstraintTag(BYTE_COUNT),
  accept: defineConstraintTag(MIME_TYPE),
  default: defineConstraintTag(...VALUE_FORMS),
  header: defineConstraintTag(WORD),
  secret: defineConstraintTag(NOTHING),
} satisfies Record<string, Tag>;

/** Tags about values that do not limit them. Any text may follow them. */
const ANNOTATION_TAGS = {
  title: { isSingleLine: true, isText: true },
  example: { isText: true },
  deprecated: { isText: true },
} satisfies Record<string, Tag>;

/** A tag that becomes a keyword of a schema. */
export type SchemaTag = keyof typeof CONSTRAINT_TAGS | keyof typeof ANNOTATION_TAGS;

const TENON_TAGS: Readonly<Record<string, Tag>> = {
  ...CONSTRAINT_TAGS,
  ...ANNOTATION_TAGS,
  mimeType: { isSingleLine: true, forms: [MIME_TYPE] },
  enumNames: { isSingleLine: true, forms: [NAMES] },
};

/** Tags with text that is part of the description, or replaces it. */
const DESCRIPTION_TAGS: Readonly<Record<string, Tag>> = {
  description: { isText: true },
  desc: { isText: true },
  remarks: { isText: true },
  summary: { isText: true },
};

/** Returns whether the text of a tag continues in the description. */
export function isDescriptionTag(name: string): boolean {
  return Object.hasOwn(DESCRIPTION_TAGS, name);
}

/** Tags of functions, which people also write after text on the same line. */
const FUNCTION_TAGS: Readonly<Record<string, Tag>> = {
  param: { forms: [PARAMETER] },
  arg: { forms: [PARAMETER] },
  argument: { forms: [PARAMETER] },
  returns: {},
  return: {},
  throws: {},
  see: {},
};

/** Tags of JSDoc, TSDoc, and related tools. They end the text before them, and clients do not see them. */
const OTHER_TAGS = new Set(
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

/** Returns whether `@name` limits values. */
export function isConstraintTag(name: string): boolean {
  return Object.hasOwn(CONSTRAINT_TAGS, name);
}

/** Returns whether a later `@name` in the same comment replaces an earlier one. */
export function isSingleTag(name: string): boolean {
  return Object.hasOwn(TENON_TAGS, name) && name !== "example" && name !== "deprecated";
}

/**
 * Returns whether a tag on a line below a `@param` concerns that parameter. A method may have a `@title` or an
 * `@example` as well, but the example of a method is code, and not one value.
 */
export function isParameterTag(name: string, text: string): boolean {
  if (name !== "example") return isConstraintTag(name) || name === "title";
  return VALUE_FORMS.some((form) => form.test(text)) || !CODE.test(text.trim());
}

/** Returns whether `@name` determines which values are valid. */
export function limitsValues(name: string): boolean {
  return isConstraintTag(name) && name !== "default" && name !== "header";
}

/** Returns whether `@name` becomes a keyword of a schema. */
export function isSchemaTag(name: string): name is SchemaTag {
  return isConstraintTag(name) || Object.hasOwn(ANNOTATION_TAGS, name);
}

/** Other names of tags in TSDoc (`@defaultValue`) and JSDoc. */
const ALIASES: Readonly<Record<string, string>> = {
  defaultValue: "default",
  defaultvalue: "default",
  arg: "param",
  argument: "param",
};

/** Returns the name under which Tenon reads a tag: `default` for `defaultValue`. */
export function getTagName(written: string): string {
  return Object.hasOwn(ALIASES, written) ? (ALIASES[written] ?? written) : written;
}

/** Returns whether Tenon reads `@name`, as a keyword or a member of a definition. */
export function isTenonTag(name: string): boolean {
  return Object.hasOwn(TENON_TAGS, getTagName(name));
}

/** Returns whether a tag ends with its line. */
export function isSingleLineTag(name: string): boolean {
  return isTenonTag(name) && TENON_TAGS[getTagName(name)]?.isSingleLine === true;
}

function isFunctionTag(name: string): boolean {
  return Object.hasOwn(FUNCTION_TAGS, name);
}

/** Returns whether `@name` at the beginning of a line is a tag. Otherwise, it is running text. */
export function isBlockTag(name: string): boolean {
  return isTenonTag(name) || OTHER_TAGS.has(name);
}

/** Tags of other schema generators that have no counterpart here. */
const UNSUPPORTED_TAGS = new Set(
  (
    "additionalProperties asType const contentEncoding contentMediaType items length " +
    "maxProperties minProperties negative nonempty nonnegative nullable patternProperties positive propertyNames " +
    "TJS-type"
  ).split(" "),
);

/** Returns whether `@name` at the beginning of a line is meant for another schema generator. */
export function isUnsupportedTag(name: string): boolean {
  return UNSUPPORTED_TAGS.has(name);
}

const SUGGESTED_TAGS: readonly string[] = [...Object.keys(TENON_TAGS), "param", "returns", "remarks"];

/** Names of the same tag in other tools. */
const SYNONYMS: Readonly<Record<string, string>> = {
  min: "minimum",
  max: "maximum",
  int: "integer",
  isInt: "integer",
  regex: "pattern",
  regexp: "pattern",
};

/** Returns the tag that `@name` at the beginning of a line was probably meant to be, or undefined for plain text. */
export function suggestTag(name: string): string | undefined {
  return Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : findNearestName(name, SUGGESTED_TAGS);
}

/** A tag on a line. */
export interface FoundTag {
  name: string;
  /** Index of the `@`. */
  at: number;
}

/** The tags on one line. */
interface TagsOfLine {
  found: FoundTag[];
  /** Apparent tags that are read as text: their value has an unexpected form, or they may be mentions, as after `by`. */
  ignored: FoundTag[];
}

const CANDIDATE = /(?<=^|\s)@([A-Za-z][A-Za-z-]*)(?![\w-])/g;
/** A tag directly after a character that belongs to neither a word, an address, nor a quotation, as in `(@secret)`. */
const ATTACHED = /(?<=[^\s\w@"'./])@([A-Za-z]+)(?![\w/-])/g;
// In `@param to @format email`, `to` is a name and not a word before the tag.
const PARAMETER_NAME = /^.*@(?:param|arg|argument)\s+(?:\{[^{}]*\}\s*)?\S+/;
// `the @default value` mentions a tag, but `sorted by @maxItems 20` does not.
const MENTION = /\b(?:an?|and|as|by|for|in|is|its|of|or|see|that|the|this|to|uses?|with|without)$/i;
// `the @default value` is certainly a mention, unlike `what to sort by @default name`.
const NOUN = /\b(?:an?|its|that|the|this)$/i;

/**
 * Finds the tags on one line. At the beginning of a line, every block tag counts. After other text, only Tenon's,
 * function, and description tags count, and only at the end of a sentence or with a value of the expected form. After
 * another single-line tag, every tag counts.
 */
export function findTags(line: string, isLeadingTag: boolean): TagsOfLine {
  const found: FoundTag[] = [];
  const ignored: FoundTag[] = [];
  const code = findCodeRanges(line);
  for (const match of line.matchAll(CANDIDATE)) {
    const [, name = ""] = match;
    const at = match.index;
    if (code.some(([start, end]) => at >= start && at < end)) continue;
    const before = line.slice(0, at).trim();
    if (before === "") {
      if (isLeadingTag) found.push({ name, at });
      continue;
    }
    const last = found.at(-1);
    const words = getTagName(last?.name ?? "") === "param" ? before.replace(PARAMETER_NAME, "") : before;
    const isAfterLine = last !== undefined && (words === "" || isSingleLineTag(last.name));
    if (!isTenonTag(name) && !isFunctionTag(name) && !isDescriptionTag(name)) {
      if (isAfterLine && last.name !== "pattern" && isBlockTag(name)) found.push({ name, at });
      continue;
    }
    // `@pattern`, `@example`, and their running text may contain anything. Only an unmistakable form ends them.
    const rest = line.slice(at + 1 + name.length);
    const mayFollow = isAfterLine ? last.name !== "pattern" : endsSentence(before);
    const isNextOfFunction = isFunctionTag(name) && isFunctionTag(last?.name ?? "");
    const isIntended = isNextOfFunction || hasForm(name, rest);
    const isMention =
      (!isAfterLine || last.name === "title") &&
      MENTION.test(words) &&
      !(isConstraintTag(name) && LAST_NUMBER.test(rest));
    if ((mayFollow && !(isAfterLine && isMention)) || (isIntended && !isMention)) found.push({ name, at });
    else if (isMention ? isIntended && isConstraintTag(name) && !NOUN.test(words) : mayBeOwnTag(name, rest)) {
      ignored.push({ name, at });
    }
  }
  for (const match of line.matchAll(ATTACHED)) {
    const { 1: name = "", index: at } = match;
    if (isConstraintTag(name) && !code.some(([start, end]) => at >= start && at < end))
      ignored.push({ name, at });
  }
  return { found, ignored };
}

/** Returns whether `@name` may be meant as one of Tenon's tags, with a value of an unexpected form. */
function mayBeOwnTag(name: string, rest: string): boolean {
  return isTenonTag(name) && /^\s*\S/.test(rest);
}

/** Returns whether the following text has the form that the tag expects. */
function hasForm(name: string, rest: string): boolean {
  const { forms = [], isText } =
    TENON_TAGS[getTagName(name)] ?? FUNCTION_TAGS[name] ?? DESCRIPTION_TAGS[name] ?? {};
  return isText === true ? /^(?:\s|$)/.test(rest) : forms.some((form) => form.test(rest));
}

function endsSentence(text: string): boolean {
  return /[.!?:;)]$/.test(text);
}

/** Returns the spans in backticks and after the `@` of `{@link …}`, in which tags are only quoted. */
function findCodeRanges(line: string): [number, number][] {
  return [...line.matchAll(/(`+)(?:(?!\1).)*\1|(?<=\{@)[^}]*\}/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}
