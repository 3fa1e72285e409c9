import { readFileSync } from "node:fs";
import type { Tool, ToolResult } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { formatList } from "../terminal/text-format.js";
import { parseRecording } from "./format.js";
import { readSession } from "./session.js";

/** A tool call in a recording. */
export interface RecordedCall {
  args: Record<string, unknown>;
  result: ToolResult;
}

/**
 * Reads the last call to a tool from a recording. Calls without a response are skipped.
 *
 * @param path the file of the recording
 * @param tool the tool as current clients see it
 * @throws Failure if the file is missing, is not a recording, or has no such call
 */
export function readRecordedCall(path: string, { name, outputSchema }: Tool): RecordedCall {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new Failure(`The recording ${path} cannot be read.`, {
      hint: "Record a session: `tenon dev --record`.",
      cause,
    });
  }
  const { exchanges } = readSession(parseRecording(text, path).messages);
  const calls = exchanges.filter(({ method }) => method === "tools/call");
  const call = calls.findLast(({ params, answer }) => params["name"] === name && answer?.result);
  if (call === undefined) {
    const names = [...new Set(calls.map(({ params }) => String(params["name"])))];
    throw new Failure(`The recording ${path} has no completed call to the tool \`${name}\`.`, {
      hint: names.length === 0 ? "It has no tool calls at all." : `It has calls to ${formatList(names)}.`,
      exitCode: 2,
    });
  }
  const { arguments: args = {} } = call.params as { arguments?: Record<string, unknown> };
  const result = call.answer?.result as unknown as ToolResult;
  // Revisions with `initialize` wrap data that is not an object.
  const isWrapped =
    outputSchema !== undefined &&
    outputSchema.type !== "object" &&
    exchanges.some(({ method }) => method === "initialize");
  if (!isWrapped || result.structuredContent === undefined) return { args, result };
  const { result: data } = result.structuredContent as { result: unknown };
  return { args, result: { ...result, structuredContent: data } };
}
