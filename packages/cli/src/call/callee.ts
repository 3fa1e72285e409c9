import type { ServerLists } from "@tenon/compiler";
import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { Answers } from "@tenon/runtime/testing";
import type { CallReport } from "./call-report.js";

/** A server that is to be called once: the project in a folder, or one that runs somewhere else. */
export interface Callee {
  /** What it offers of one kind, before anything of it is called. */
  offered(kind: "tool" | "prompt" | "resource"): Promise<ServerLists>;
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  getPrompt(name: string, args: Record<string, string>): Promise<PromptResult>;
  readResource(uri: string): Promise<ResourceResult>;
  /** Ends the connection, once it has heard that a call is cancelled. */
  close(): Promise<void>;
}

/** What a callee's client has to know. */
export interface CallerOptions {
  /** To what the server asks. */
  answers: Answers;
  /** Is told what the server says before it answers. */
  report: CallReport;
  /** Cancels the call. */
  signal: AbortSignal;
  /** As before 2026-07-28, or as since then. */
  era?: "modern" | "legacy";
}

/** The level from which on log messages are shown. */
export const LOG_LEVEL = "info";
