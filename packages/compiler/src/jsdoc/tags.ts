import { nearestName } from "@tenon/runtime/nearest-name";

/** Tags that become keywords of a schema. */
const CONSTRAINT_TAGS = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "integer",
  "default",
  "header",
  "secret",
]);

/** Tags of ours that may also stand behind text on the same line. */
export const INLINE_TAGS: ReadonlySet<string> = new Set([
  ...CONSTRAINT_TAGS,
  "title",
  "example",
  "deprecated",
  "mimeType",
]);

/** Tags of functions, which people write behind text on one line as well. */
const FUNCTION_TAGS: ReadonlySet<string> = new Set(["param", "returns", "return", "throws"]);

/** Tags that end with their line: what follows is running text again. */
export const SINGLE_LINE_TAGS: ReadonlySet<string> = new Set([...CONSTRAINT_TAGS, "title", "mimeType"]);

/** Tags of JSDoc, TSDoc and their usual companions. They end the text before them and say nothing to a client. */
const FOREIGN_TAGS = new Set(
  (
    "abstract access alias alpha alternateName arg argument async augments author beta borrows callback category class " +
    "classdesc constant constructor constructs copyright decorator deprecated description desc dictionary " +
    "enum enumNames event eventProperty exception export exports extends external file fileoverview fires func function " +
    "generator global group hidden hideconstructor ignore implements import inherit inheritDoc inheritdoc inner " +
    "instance interface internal jsx jsxFrag jsxImportSource jsxRuntime kind label lends license link listens " +
    "memberof method mixes mixin module name namespace override overload overview package packageDocumentation param " +
    "private privateRemarks prop property protected public readonly remarks requires return returns satisfies " +
    "sealed see since static summary suppress template this throws todo tutorial type typeParam typedef values var " +
    "variation version virtual yields ts-check ts-expect-error ts-ignore ts-nocheck"
  ).split(" "),
);

export function isConstraintTag(name: string): boolean {
  return CONSTRAINT_TAGS.has(name);
}

/** Whether `@name` at the beginning of a line is a tag; anything else there is running text. */
export function isBlockTag(name: string): boolean {
  return INLINE_TAGS.has(name) || FOREIGN_TAGS.has(name);
}

const MEANT_TAGS: readonly string[] = [...INLINE_TAGS, "param", "returns", "remarks"];

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
export function meantTag(name: string): string | undefined {
  return Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearestName(name, MEANT_TAGS);
}

interface FoundTag {
  name: string;
  /** Index of the `@`. */
  at: number;
}

const CANDIDATE = /(?<=^|\s)@([A-Za-z][A-Za-z-]*)(?![\w-])/g;
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?=$|\s)/i;
const NOTHING = /^\s*(?:$|(?=@))/;
const WORD = /^\s+[\w.+/:-]+\s*(?:$|(?=@))/;
const JSON_VALUE = /^\s+(?:"[^"]*"|'[^']*'|\[.*\]|\{.*\})\s*(?:$|(?=@))/;
const PARAMETER = /^\s+(?:\{[^{}]*\}\s*)?\[?(?:\.\.\.)?[A-Za-z_$][\w$.]*(?:$|[\s\]=])/;
/** `the @default value` speaks of a tag. */
const SPEAKING_OF = /\b(?:an?|and|as|by|for|in|is|its|of|or|see|that|the|this|to|uses?|with|without)$/i;

/**
 * The tags on one line. At the beginning of a line any block tag counts; behind other text only tags of ours and
 * of functions, and only where the text after them has the form such a tag wants or a sentence has just ended.
 */
export function findTags(line: string, leadingIsTag: boolean): FoundTag[] {
  const found: FoundTag[] = [];
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
    if (!INLINE_TAGS.has(name) && !FUNCTION_TAGS.has(name)) continue;
    const last = found.at(-1);
    // `@pattern`, `@example` and running text inside them may hold anything; only a form that cannot be text ends them.
    const afterText = last === undefined || !SINGLE_LINE_TAGS.has(last.name) || last.name === "title";
    const rest = line.slice(at + 1 + name.length);
    const mayFollow = afterText ? endsSentence(before) : last.name !== "pattern";
    const isNextOfFunction = FUNCTION_TAGS.has(name) && FUNCTION_TAGS.has(last?.name ?? "");
    const isMeant = isNextOfFunction || hasForm(name, rest);
    if (mayFollow || (isMeant && !SPEAKING_OF.test(before))) found.push({ name, at });
  }
  return found;
}

/** Whether what follows has the form that the tag, and hardly any prose, has. */
function hasForm(name: string, rest: string): boolean {
  switch (name) {
    case "integer":
    case "uniqueItems":
    case "deprecated":
    case "secret":
      return NOTHING.test(rest);
    case "format":
    case "header":
      return WORD.test(rest);
    case "mimeType":
      return /^\s+[\w.+-]+\/[\w.+*-]+/.test(rest);
    case "default":
      return WORD.test(rest) || JSON_VALUE.test(rest);
    case "pattern":
      return /^\s+(?:\^|\/\^?|`)/.test(rest);
    case "param":
      return PARAMETER.test(rest);
    case "title":
    case "example":
    case "returns":
    case "return":
    case "throws":
      return false;
    default:
      return NUMBER.test(rest);
  }
}

function endsSentence(text: string): boolean {
  return /[.!?:;)]$/.test(text);
}

/** Spans in backticks and `{@link …}`: what stands there is quoted, not said. */
function codeRanges(line: string): [number, number][] {
  return [...line.matchAll(/(`+)(?:(?!\1).)*\1|\{@[^}]*\}/g)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
}
