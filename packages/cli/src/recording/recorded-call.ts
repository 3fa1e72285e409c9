import { readFileSync } from "node:fs";
import type { ToolResult } from "@tenon/runtime/manifest";
import { Failure } from "../terminal/failure.js";
import { parseRecording } from "./format.js";
import { readSession } from "./session.js";

/** A call of a tool in a recording. */
export interface RecordedCall {
  args: Record<string, unknown>;
  result: ToolResult;
}

/**
 * Reads the last call of a tool that was answered in a recording.
 *
 * @param path the file of the recording
 * @throws Failure if the file is missing, is not a recording, or has no such call
 */
export function readRecordedCall(path: string, tool: string): RecordedCall {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new Failure(`The recording ${path} cannot be read.`, {
      hint: "Record a session: tenon dev --record",
      cause,
    });
  }
  const { exchanges } = readSession(parseRecording(text, path).messages);
  const calls = exchanges.filter(({ method }) => method === "tools/call");
  const call = calls.findLast(({ params, answer }) => params["name"] === tool && answer?.result);
  if (call === undefined) {
    const names = [...new Set(calls.map(({ params }) => String(params["name"])))];
    throw new Failure(`The recording ${path} has no answered call of the tool \`${tool}\`.`, {
      hint: names.length === 0 ? "It has no calls of tools at all." : `It has calls of: ${names.join(", ")}`,
      exitCode: 2,
    });
  }
  const { arguments: args = {} } = call.params as { arguments?: Record<string, unknown> };
  return { args, result: call.answer?.result as unknown as ToolResult };
}
