import type { ToolResult } from "@tenon/runtime";

/** Text for the model, and the same text as data for programs. */
export type Answer = ToolResult<{ content: string }>;

export function answer(content: string): Answer {
  return { content: [{ type: "text", text: content }], structuredContent: { content } };
}
