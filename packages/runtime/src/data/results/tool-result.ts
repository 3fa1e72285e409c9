/**
 * Converts the return value of a tool to a `CallToolResult`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @module
 */
import { EMPTY_RESULT, type Output } from "../../manifest.js";
import { isContent, isOfKnownKind } from "../../protocol/content-kinds.js";
import type { JsonSchema } from "../../protocol/json-schema.js";
import { isObject } from "../../protocol/jsonrpc.js";
import { projectContent, wrapsResults } from "../../protocol/projection.js";
import type { Revision } from "../../protocol/revisions.js";
import type { Content, TextContent, ToolResult } from "../../protocol/specification.js";
import { checkPart, checkResultMembers, contentList, stripBlock, toDeclaredText } from "./content-check.js";
import { checkNothingLost } from "./lost-values.js";
import { checkData, OutputError, type OutputSchema, type RejectOutput } from "./output-check.js";
import { toWellFormedJson } from "../../protocol/well-formed.js";

/** A result with a single text block. It is a class so that its JSON can be written directly: see `toResultText`. */
export class TextResult implements ToolResult {
  readonly content: [TextContent];

  constructor(text: string) {
    this.content = [{ type: "text", text }];
  }
}

/** The key in `_meta` for challenges in results. It is OpenAI's; other clients ignore it. */
const WWW_AUTHENTICATE = "mcp/www_authenticate";

/**
 * Creates the result of a failed tool, which the model can read and act on.
 *
 * @param challenge the challenge for a caller who must log in
 */
export function toErrorResult(message: string, challenge?: string): ToolResult {
  const result = { content: [createTextBlock(message.trim() === "" ? FAILED : message)], isError: true };
  return challenge === undefined ? result : { ...result, _meta: { [WWW_AUTHENTICATE]: [challenge] } };
}

/** A result of data and its JSON as text. It is a class so that the JSON is written only once: see `toResultText`. */
export class StructuredResult implements ToolResult {
  readonly content: [TextContent];

  /**
   * @param structuredContent the data as JSON
   * @param text the JSON text of the data
   */
  constructor(
    readonly structuredContent: unknown,
    text: string = toWellFormedJson(JSON.stringify(structuredContent)),
  ) {
    this.content = [{ type: "text", text }];
  }
}

/** The conversion of a tool's data to JSON, and the schema that it must fit. */
export interface DataPlan {
  /** The listed output schema, as in the newest revision. */
  readonly listed: JsonSchema | undefined;
  /** The schema that data must fit, if there is one. */
  readonly exact: OutputSchema | undefined;
  /** Whether the schema allows data of any depth, because it refers to itself or has parts of type `unknown`. */
  readonly isDeep: boolean;
  /** Converts data to JSON according to its declared type. */
  write(value: unknown): unknown;
}

/**
 * Builds the result from a handler's value.
 *
 * @param reject receives problems with the value; without it, nothing is validated
 */
export type BuildToolResult = (
  value: unknown,
  revision: Revision,
  reject: RejectOutput | undefined,
) => ToolResult;

/**
 * Creates the function that builds the results of a tool.
 *
 * @param kind the kind of values that the tool declares
 */
export function createResultBuilder(kind: Output["kind"], plan: DataPlan): BuildToolResult {
  const build = BUILDERS[kind];
  return (value, revision, reject) => build(value, plan, revision, reject);
}

const BUILDERS: Record<
  Output["kind"],
  (value: unknown, plan: DataPlan, revision: Revision, reject: RejectOutput | undefined) => ToolResult
> = {
  none: () => DONE,
  text: toTextResult,
  structured: toStructuredResult,
  content: toContentResult,
  mixed: toMixedResult,
  unknown: toUndeclaredResult,
};

/**
 * The result of a tool without a return value. If a result has no content, some clients show nothing or keep waiting,
 * and models assume that the tool failed.
 */
const DONE: ToolResult = { content: [{ type: "text", text: "Done." }] };

/** The text of an error that the author returned without content. */
const FAILED = "The tool failed without a message.";

/** Creates the result of a tool that returns text. */
function toTextResult(value: unknown): ToolResult {
  return new TextResult(toDeclaredText(value ?? "") || EMPTY_RESULT);
}

/** Creates the result of a tool that returns data. */
export function toStructuredResult(
  value: unknown,
  plan: DataPlan,
  revision: Revision,
  reject: RejectOutput | undefined,
): ToolResult {
  const natural = toData(value, plan, reject);
  if (revision.structuredContent === "none") return new TextResult(toWellFormedJson(JSON.stringify(natural)));
  // Without a schema, the type of the value decides whether it is wrapped.
  const wraps = wrapsResults(plan.listed ?? { type: isObject(natural) ? "object" : "null" }, revision);
  const structuredContent = wraps ? { result: natural } : natural;
  return new StructuredResult(structuredContent);
}

/** Returns a tool's data as it is sent. */
function toData(
  value: unknown,
  { exact, isDeep, write }: DataPlan,
  reject: RejectOutput | undefined,
): unknown {
  const written = write(value);
  const sent = exact ? checkData(written, exact, reject) : written;
  // If every part has a type and the value was not converted, its schema has checked all of it.
  if (reject !== undefined && (isDeep || written !== value)) checkNothingLost(sent, reject);
  return sent;
}

/** Creates the result of a tool that returns `Content`, a list of it, or a whole `ToolResult`. */
function toContentResult(
  value: unknown,
  plan: DataPlan,
  revision: Revision,
  reject: RejectOutput | undefined,
): ToolResult {
  const { listed } = plan;
  const whole: Partial<ToolResult> = isWholeResult(value) ? value : {};
  const { structuredContent, isError, _meta } = whole;
  if (reject) checkResultMembers(whole, reject);
  const given = toBlocks(isWholeResult(value) ? value.content : value);
  if (reject) checkPart(given, contentList, ["content"], reject);
  if (reject && listed && structuredContent === undefined && isError !== true)
    reject(new OutputError(NO_DATA));
  const json = structuredContent === undefined ? undefined : toData(structuredContent, plan, reject);
  const blocks = given.length > 0 ? given : [createTextBlock(toSubstituteText(json, isError === true))];
  const result: ToolResult = { content: blocks.map((block) => projectContent(stripBlock(block), revision)) };
  if (json !== undefined && revision.structuredContent !== "none") {
    const wraps =
      revision.structuredContent === "object" &&
      (!isObject(json) || (listed !== undefined && wrapsResults(listed, revision)));
    result.structuredContent = wraps ? { result: json } : json;
  }
  if (isError === true) result.isError = true;
  if (_meta !== undefined) result._meta = _meta;
  return result;
}

/**
 * Creates the result from the one that middleware returned in place of the tool's own. If the middleware changed only the
 * data, the text is written again from the data, so that it does not contain what the middleware removed.
 *
 * @param own the result of the tool, if it was called
 */
export function toReplacedResult(
  result: unknown,
  own: unknown,
  plan: DataPlan,
  revision: Revision,
  reject: RejectOutput | undefined,
): ToolResult {
  const { content, structuredContent, isError, _meta } = result as ToolResult;
  const keepsText = hasContentList(own) && content === own.content && showsOnlyData(own);
  if (!keepsText || structuredContent === undefined || isError === true)
    return toContentResult(result, plan, revision, reject);
  const replaced = toStructuredResult(structuredContent, plan, revision, reject);
  return _meta === undefined ? replaced : { ...replaced, _meta };
}

/** Returns whether the only content of a result is the JSON text of its data, written by Tenon or by the author. */
function showsOnlyData(result: ToolResult): boolean {
  if (result instanceof StructuredResult) return true;
  const { content, structuredContent } = result;
  const [block] = content;
  if (structuredContent === undefined || content.length !== 1 || block?.type !== "text") return false;
  return block.text === toWellFormedJson(JSON.stringify(structuredContent));
}

const NO_DATA = "The tool has an output schema, but returned no `structuredContent`.";

/** Creates the result of a tool that returns either data or content, depending on the value. */
function toMixedResult(
  value: unknown,
  plan: DataPlan,
  revision: Revision,
  reject: RejectOutput | undefined,
): ToolResult {
  return (isContentValue(value) ? toContentResult : toStructuredResult)(value, plan, revision, reject);
}

/** Creates the result of a tool whose declared type is too general to list a schema, depending on the value. */
function toUndeclaredResult(
  value: unknown,
  plan: DataPlan,
  revision: Revision,
  reject: RejectOutput | undefined,
): ToolResult {
  if (typeof (value ?? "") === "string") return toTextResult(value);
  // A list of texts without blocks is content if it is not data.
  const isContentList =
    Array.isArray(value) && value.every(isText) && plan.exact?.validators.output(value) === false;
  return (isContentList ? toContentResult : toMixedResult)(value, plan, revision, reject);
}

/** Returns whether a value is a content block, a list of blocks and possibly text, or a whole result. */
function isContentValue(value: unknown): boolean {
  if (!Array.isArray(value)) return isToolResult(value) || isContent(value);
  return value.some(isContent) && value.every((each) => isText(each) || isContent(each));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns the text of a result without content. */
function toSubstituteText(json: unknown, isError: boolean): string {
  if (json !== undefined) return toWellFormedJson(JSON.stringify(json));
  return isError ? FAILED : EMPTY_RESULT;
}

function createTextBlock(text: string): Content {
  return { type: "text", text };
}

function toBlocks(value: unknown): Content[] {
  if (value === undefined || value === null) return [];
  const blocks = (Array.isArray(value) ? value : [value]) as (Content | string)[];
  return blocks.map((block) => (isText(block) ? createTextBlock(block) : block));
}

/** Returns whether a value is a whole result: it has a list of content, or data and neither content nor a type. */
function isWholeResult(value: unknown): value is Partial<ToolResult> {
  if (!isObject(value)) return false;
  const { content, type, structuredContent } = value;
  return (
    hasContentList(value) || (content === undefined && type === undefined && structuredContent !== undefined)
  );
}

function hasContentList(value: unknown): value is ToolResult {
  return isObject(value) && Array.isArray(value.content);
}

function isToolResult(value: unknown): value is ToolResult {
  return hasContentList(value) && value.content.every(isOfKnownKind);
}
