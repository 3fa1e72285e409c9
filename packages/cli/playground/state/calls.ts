import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { GivenAnswer } from "./questions.js";
import type { Entry } from "./entries.js";
import type { TaskProgress } from "./follow-task.js";
import type { Settings } from "./notes.js";

/** The outcome of a call. */
export type Outcome =
  | { type: "tool"; result: ToolResult }
  | { type: "prompt"; result: PromptResult }
  | { type: "resource"; result: ResourceResult }
  | { type: "error"; message: string; code?: number; data?: unknown };

export interface LogLine {
  level: string;
  data: unknown;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** One call to a tool, prompt, or resource. */
export interface Call {
  number: number;
  entry: Pick<Entry, "kind" | "key" | "name">;
  args: Record<string, unknown>;
  /** The settings of the connection. */
  settings: Settings;
  build: number;
  /** Whether the call declares task support. The server decides whether it becomes a task. */
  wantsTask: boolean;
  /** The task that the server created for the call, if any. */
  task?: TaskProgress;
  /** The latest progress report. */
  progress?: Progress;
  logs: readonly LogLine[];
  /** The developer's answers to questions of this call. */
  answers: readonly GivenAnswer[];
  /** The outcome and duration. Absent while the call is running. */
  done?: { outcome: Outcome; ms: number };
}

/** Returns whether a call failed; undefined while it is running. */
export function hasFailed({ done }: Call): boolean | undefined {
  if (!done) return undefined;
  const { outcome } = done;
  return outcome.type === "error" || (outcome.type === "tool" && outcome.result.isError === true);
}

/** Returns the server's message for a call that was rejected or failed, and an empty string for others. */
export function getErrorText({ done }: Call): string {
  const { outcome } = done ?? {};
  if (outcome?.type === "error") return outcome.message;
  if (outcome?.type !== "tool" || outcome.result.isError !== true) return "";
  return (outcome.result.content ?? []).flatMap((each) => (each.type === "text" ? each.text : [])).join("\n");
}
