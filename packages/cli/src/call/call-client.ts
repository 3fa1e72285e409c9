import type { ServerLists } from "@tenon/compiler";
import type { PromptResult, ResourceResult, ToolResult } from "@tenon/runtime/manifest";
import type { Answers } from "@tenon/runtime/testing";
import type { Principal } from "@tenon/runtime";
import type { CallReport } from "./call-report.js";
import type { Target } from "./target.js";

/** A caller that may make the call: one with certain scopes, or any identified caller. */
export interface RequiredCaller {
  readonly subject: string;
  readonly scopes?: readonly string[];
}

/** A client for one call, to the project in a folder or to a running server. */
export interface CallClient {
  /** Lists the entries of one kind. */
  listEntries(kind: "tool" | "prompt" | "resource"): Promise<ServerLists>;
  callTool(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  getPrompt(name: string, args: Record<string, string>): Promise<PromptResult>;
  readResource(uri: string): Promise<ResourceResult>;
  /** Returns the kind of caller that a call requires if the server certainly rejects the current caller. */
  findRequiredCaller?(target: Target): RequiredCaller | undefined;
  /** Closes the connection, after the server has received a cancellation. */
  close(): Promise<void>;
}

/** The options of a `CallClient`. */
export interface CallClientOptions {
  /** The answers to requests of the server. */
  answers: Answers;
  /** Receives progress and log messages. */
  report: CallReport;
  /** Cancels the call. */
  signal: AbortSignal;
  /** The caller, instead of the principal of stdio. Only for the project in the current folder. */
  principal?: Principal;
  /** The era of the protocol. */
  era?: "modern" | "legacy";
  /** Whether to report if an earlier build was reused. */
  verbose?: boolean;
}

/** Minimum level of log messages. */
export const LOG_LEVEL = "info";
