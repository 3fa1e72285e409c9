import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  stringify,
  type YAMLMap,
} from "yaml";
import {
  applyEdits,
  findDifferences,
  getLineBreak,
  toSettings,
  UnchangeableTextError,
  type Settings,
  type TextEdit,
} from "./config-settings.js";

/**
 * Reads YAML.
 *
 * @throws Error if it is invalid
 */
export function readYaml(text: string): Settings {
  return toSettings(parseValid(text).toJS());
}

/**
 * Returns the text with a member changed, or removed if the value is undefined. Only the lines of the changed members differ:
 * serializing the document would change quotes, folds, and indentation elsewhere.
 *
 * @throws UnchangeableTextError if an alias or another value prevents the change
 */
export function setYamlMember(text: string, path: readonly string[], value: unknown): string {
  const document = parseValid(text);
  const found = document.getIn(path, true);
  const before: unknown = isMap(found) ? found.toJS(document) : undefined;
  return findDifferences(before, value, path).reduce(
    (changed, difference) => setMember(changed, difference.path, difference.value),
    text,
  );
}

function parseValid(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return document;
}

function setMember(text: string, path: readonly string[], value: unknown): string {
  const root = parseValid(text).contents as Node | null;
  if (!isMap(root)) {
    if (root !== null && !isEmpty(root)) throw new UnchangeableTextError("it is not a map");
    const member = writeLines(
      text,
      path.reduceRight((inner: unknown, name) => ({ [name]: inner }), value),
      "",
    );
    return value === undefined ? text : `${endWithBreak(text)}${member}`;
  }
  let parent: YAMLMap = root;
  let parentPair: Pair | undefined;
  let isFlow = root.flow === true;
  for (const [index, name] of path.entries()) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name);
    const rest = path.slice(index + 1);
    const node = isNode(pair?.value) ? pair.value : undefined;
    if (isMap(node) && rest.length > 0 && (node.items.length > 0 || value === undefined)) {
      [parent, parentPair] = [node, pair];
      isFlow ||= node.flow === true;
      continue;
    }
    if (value === undefined)
      return pair && rest.length === 0 ? applyEdits(text, removePair(text, parent, pair, parentPair)) : text;
    if (rest.length > 0 && node !== undefined && !isEmpty(node))
      throw new UnchangeableTextError(`${name} is not a map`);
    const nested = rest.reduceRight((inner: unknown, each) => ({ [each]: inner }), value);
    if (pair === undefined) return applyEdits(text, [addPair(text, parent, { [name]: nested }, isFlow)]);
    return applyEdits(text, replaceValue(text, pair, nested, isFlow));
  }
  return text;
}

/** Returns whether a node is `null`, `~`, nothing, or an empty map, without an anchor that others may use. */
function isEmpty(node: Node): boolean {
  return isMap(node) ? node.items.length === 0 : isScalar(node) && node.value === null;
}

function addPair(text: string, parent: YAMLMap, member: Settings, isFlow: boolean): TextEdit {
  const last = parent.items.at(-1);
  if (isFlow) {
    const close = (parent.range?.[1] ?? 0) - 1;
    const hasComma = /,\s*$/.test(text.slice(0, close));
    const start = text.slice(0, close).trimEnd().length;
    const content = `${last && !hasComma ? "," : ""} ${writeFlow(member).slice(1, -1).trim()}`;
    return { offset: start, length: 0, content };
  }
  const [first] = parent.items;
  if (first === undefined || last === undefined) throw new UnchangeableTextError("it is an empty map");
  const offset = getLineEnd(text, getEnd(last));
  const indent = getIndent(text, first);
  return insertLines(text, offset, writeLines(text, member, indent));
}

function replaceValue(text: string, pair: Pair, value: unknown, isFlow: boolean): TextEdit[] {
  const key = pair.key as Scalar;
  const node = isNode(pair.value) ? pair.value : undefined;
  const keyEnd = getKeyEnd(text, pair);
  const range = node?.range ?? [keyEnd, keyEnd];
  // A value without text may be located after a comment.
  const [start, end] = range[0] === range[1] ? [keyEnd, keyEnd] : range;
  const isBlock = isScalar(node) && node.type?.startsWith("BLOCK") === true;
  if (isFlow || (isCollection(node) && node.flow === true && !isEmpty(node)))
    return [
      {
        offset: start,
        length: end - start,
        content: `${start === keyEnd ? " " : ""}${writeFlow(value)}`,
      },
    ];
  const isShort = typeof value !== "object" || value === null;
  if (isShort && isScalar(node) && !isBlock && end > start) {
    const scalar = new Scalar(value);
    if (node.type !== undefined) scalar.type = node.type;
    const content = stringify(scalar, { lineWidth: 0 }).trimEnd();
    if (!content.includes("\n")) return [{ offset: start, length: end - start, content }];
  }
  const indent = getIndent(text, pair);
  const lines = writeLines(text, { [String(key.value)]: value }, indent);
  const breakAt = lines.indexOf("\n");
  if (node === undefined || isEmpty(node)) {
    // The comment on the line of an empty section stays there.
    const rest = lines.slice(breakAt + 1);
    return [
      {
        offset: keyEnd,
        length: end - keyEnd,
        content: rest === "" ? lines.slice(lines.indexOf(":") + 1).trimEnd() : "",
      },
      ...(rest === "" ? [] : [insertLines(text, getLineEnd(text, end), rest)]),
    ];
  }
  const from = getLineStart(text, pair);
  return [{ offset: from, length: getLineEnd(text, getEnd(pair)) - from, content: lines }];
}

function removePair(text: string, parent: YAMLMap, pair: Pair, parentPair: Pair | undefined): TextEdit[] {
  const index = parent.items.indexOf(pair as (typeof parent.items)[number]);
  const start = (pair.key as Scalar).range?.[0] ?? 0;
  if (parent.flow === true) {
    const next = parent.items[index + 1];
    const previous = parent.items[index - 1];
    const from = next || !previous ? start : getEnd(previous);
    const to = next ? ((next.key as Scalar).range?.[0] ?? 0) : getEnd(pair);
    return [{ offset: from, length: to - from, content: "" }];
  }
  const from = getLineStart(text, pair);
  const lines = { offset: from, length: getLineEnd(text, getEnd(pair)) - from, content: "" };
  if (parent.items.length > 1 || parentPair === undefined) return [lines];
  return [{ offset: getKeyEnd(text, parentPair), length: 0, content: " {}" }, lines];
}

/** Returns the end of a pair's text, without the comments and blank lines that follow it. */
function getEnd(node: unknown): number {
  if (isPair(node)) {
    const value = isNode(node.value) ? node.value : undefined;
    const keyEnd = (node.key as Scalar).range?.[1] ?? 0;
    return Math.max(keyEnd, value === undefined ? 0 : getEnd(value));
  }
  if (isCollection(node) && node.flow !== true && node.items.length > 0) return getEnd(node.items.at(-1));
  return (node as Node).range?.[1] ?? 0;
}

/** Returns the offset after the colon of a pair. */
function getKeyEnd(text: string, { key }: Pair): number {
  const end = (key as Scalar).range?.[1] ?? 0;
  return text.indexOf(":", end) + 1;
}

/**
 * Returns the start of the line of a pair.
 *
 * @throws UnchangeableTextError if the pair is not first on its line
 */
function getLineStart(text: string, pair: Pair): number {
  return ((pair.key as Scalar).range?.[0] ?? 0) - getIndent(text, pair).length;
}

function getIndent(text: string, { key }: Pair): string {
  const start = (key as Scalar).range?.[0] ?? 0;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  if (before.trim() !== "") throw new UnchangeableTextError("a member is not on its own line");
  return before;
}

/** Returns the offset after the line that contains the last character before an offset. */
function getLineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", text[offset - 1] === "\n" ? offset - 1 : offset);
  return end === -1 ? text.length : end + 1;
}

function insertLines(text: string, offset: number, lines: string): TextEdit {
  const isMissingBreak = offset > 0 && text[offset - 1] !== "\n";
  return { offset, length: 0, content: isMissingBreak ? getLineBreak(text) + lines : lines };
}

function endWithBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}${getLineBreak(text)}`;
}

/** Writes a member as lines in the style of the text. */
function writeLines(text: string, member: unknown, indent: string): string {
  const unit = getIndentWidth(text);
  const indentSeq = !/^( *)[^\s#][^\n]*:[ \t]*\r?\n\1- /m.test(text);
  const lines = stringify(member, { indent: unit, indentSeq, lineWidth: 0 });
  return lines.replaceAll(/^(?=.)/gm, indent).replaceAll("\n", getLineBreak(text));
}

/** Returns the indentation of the first map in the root, or 2. */
function getIndentWidth(text: string): number {
  const root = parseDocument(text).contents as Node | null;
  const items = isMap(root) && root.flow !== true ? root.items : [];
  const nested = items.find(({ value }) => isMap(value) && value.flow !== true)?.value;
  const [first] = isMap(nested) ? nested.items : [];
  return first === undefined ? 2 : getIndent(text, first).length;
}

/** Writes a value on one line. */
function writeFlow(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}
