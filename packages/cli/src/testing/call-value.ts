import {
  type Content,
  EMPTY_RESULT,
  type ResourceEntry,
  type ResourceResult,
  type ResourceTemplateEntry,
  type ToolEntry,
  type ToolResult,
} from "@tenon/runtime/manifest";

/** Thrown when a tool fails: its result has `isError`. The message is the text that a model would read. */
export class ToolFailure extends Error {
  override name = "ToolFailure";

  constructor(
    tool: string,
    readonly result: ToolResult,
  ) {
    super(getText(result) || `The tool "${tool}" failed without a message.`);
  }
}

/** The first revision whose `structuredContent` may be any value. Earlier ones wrap values that are not objects. */
const FIRST_REVISION_WITH_ANY_VALUE = "2026-07-28";

/**
 * Returns the part of a method's return value that the client receives.
 *
 * @param revision the protocol revision of the client
 * @throws ToolFailure if the tool failed
 */
export function toToolValue(
  { definition, output }: ToolEntry,
  result: ToolResult,
  revision: string,
): unknown {
  const { structuredContent, content = [], isError } = result;
  const { name, outputSchema } = definition;
  if (isError === true) throw new ToolFailure(name, result);
  if (structuredContent !== undefined) {
    const mayBeWrapped = outputSchema !== undefined && outputSchema.type !== "object";
    return mayBeWrapped && revision < FIRST_REVISION_WITH_ANY_VALUE
      ? (structuredContent as { result: unknown }).result
      : structuredContent;
  }
  const isEmpty = content.length === 1 && getText(result) === EMPTY_RESULT;
  if (output.kind === "none" || (output.kind === "unknown" && isEmpty)) return undefined;
  if (isEmpty && output.kind !== "structured") return output.kind === "content" ? [] : "";
  if (output.kind === "content" || content.some(({ type }) => type !== "text")) return content;
  // Revisions without `structuredContent` receive data as JSON text.
  return output.kind === "structured" ? parseJson(getText(result)) : getText(result);
}

/** Converts a value to the result that a client of the newest revision receives; the reverse of `toToolValue`. */
export function toToolResult({ output: { kind } }: ToolEntry, value: unknown): ToolResult {
  if (kind === "text" || (kind !== "structured" && typeof value === "string"))
    return { content: [{ type: "text", text: String(value ?? "") || EMPTY_RESULT }] };
  if (kind === "content" || (kind === "mixed" && Array.isArray(value)))
    return { content: value as Content[] };
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** Returns the text, bytes, or data of a resource. If it has several contents, returns these unchanged. */
export function toResourceValue(
  { output }: ResourceEntry | ResourceTemplateEntry,
  { contents }: ResourceResult,
): unknown {
  const [first] = contents;
  if (first === undefined || contents.length > 1) return contents;
  if ("blob" in first) return new Uint8Array(Buffer.from(first.blob, "base64"));
  return output === undefined ? first.text : (JSON.parse(first.text) as unknown);
}

/** Returns the value of JSON text, or the text if a middleware has replaced it with other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function getText({ content = [] }: ToolResult): string {
  return content.flatMap((each) => (each.type === "text" ? each.text : [])).join("\n");
}
