import type {
  ResourceEntry,
  ResourceResult,
  ResourceTemplateEntry,
  ToolEntry,
  ToolResult,
} from "@tenon/runtime/manifest";

/** A tool failed: its result has `isError`. The message is what a model would read. */
export class ToolFailure extends Error {
  override name = "ToolFailure";

  constructor(
    tool: string,
    readonly result: ToolResult,
  ) {
    super(textOf(result) || `The tool "${tool}" failed without a word.`);
  }
}

/**
 * What a tool's method returned, as far as it reached the client.
 *
 * @throws ToolFailure when it failed
 */
export function toolValue({ definition, output }: ToolEntry, result: ToolResult): unknown {
  const { structuredContent, content = [], isError } = result;
  if (isError === true) throw new ToolFailure(definition.name, result);
  if (structuredContent !== undefined) return unwrapped(structuredContent, definition.outputSchema);
  if (output.kind === "none") return undefined;
  return output.kind === "content" || content.some(({ type }) => type !== "text") ? content : textOf(result);
}

/** What a resource holds: its text, its bytes or its data; of several, the contents as they came. */
export function resourceValue(
  { output }: ResourceEntry | ResourceTemplateEntry,
  { contents }: ResourceResult,
): unknown {
  const [first] = contents;
  if (first === undefined || contents.length > 1) return contents;
  if ("blob" in first) return new Uint8Array(Buffer.from(first.blob, "base64"));
  return output === undefined ? first.text : (JSON.parse(first.text) as unknown);
}

/** Revisions that want an object put anything else into one. */
function unwrapped(value: unknown, schema: ToolEntry["definition"]["outputSchema"]): unknown {
  const isWrapped = schema !== undefined && schema.type !== "object" && isPair(value);
  return isWrapped ? value.result : value;
}

function isPair(value: unknown): value is { result: unknown } {
  return typeof value === "object" && value !== null && Object.keys(value).join() === "result";
}

function textOf({ content = [] }: ToolResult): string {
  return content.flatMap((each) => (each.type === "text" ? each.text : [])).join("\n");
}
