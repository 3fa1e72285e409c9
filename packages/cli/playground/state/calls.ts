import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { GivenAnswer } from "./questions.js";
import type { Entry } from "./entries.js";
import type { TaskProgress } from "./follow-task.js";
import type { Settings } from "./notes.js";

/** What came of a call. */
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

/** One call of a tool, get of a prompt or read of a resource. */
export interface Call {
  number: number;
  entry: Pick<Entry, "kind" | "key" | "name">;
  args: Record<string, unknown>;
  /** How the page was connected. */
  settings: Settings;
  build: number;
  /** The page says that it knows tasks: whether the call becomes one, the server decides. */
  wantsTask: boolean;
  /** What was answered at first, where that was a task. */
  task?: TaskProgress;
  /** The latest. */
  progress?: Progress;
  logs: readonly LogLine[];
  /** What the person answered meanwhile. */
  answers: readonly GivenAnswer[];
  /** Absent while it is going on. */
  done?: { outcome: Outcome; ms: number };
}

/** Whether a call came to a good end; undefined while it is going on. */
export function hasFailed({ done }: Call): boolean | undefined {
  if (!done) return undefined;
  const { outcome } = done;
  return outcome.type === "error" || (outcome.type === "tool" && outcome.result.isError === true);
}

/** What the server says of a call that it has refused, or that has failed; nothing of any other. */
export function refusalText({ done }: Call): string {
  const { outcome } = done ?? {};
  if (outcome?.type === "error") return outcome.message;
  if (outcome?.type !== "tool" || outcome.result.isError !== true) return "";
  return (outcome.result.content ?? []).flatMap((each) => (each.type === "text" ? each.text : [])).join("\n");
}
